package main

import (
	"fmt"
	"strings"
)

// create makes one object of Octavia, and with a load balancer all that is said to be in it.
func (c *cloud) create(collection string, wanted object) object {
	switch collection {
	case "loadbalancers":
		return c.plant(wanted)
	case "listeners":
		return c.createListener(text(wanted, "loadbalancer_id"), wanted)
	case "pools":
		listener := text(wanted, "listener_id")
		balancer := text(wanted, "loadbalancer_id")
		if known := c.find("listeners", listener); known != nil {
			balancer = text(known, "loadbalancer_id")
		}
		return c.createPool(balancer, listener, wanted)
	}
	return c.createMonitor(text(wanted, "pool_id"), wanted)
}

// plant makes a load balancer with its listeners, their pools, and the members and monitors of these.
func (c *cloud) plant(tree object) object {
	made := merge(object{}, tree)
	delete(made, "listeners")
	defaults(made, object{
		"description": "", "provider": "amphora", "tags": []string{}, "provisioning_status": "ACTIVE",
		"operating_status": "ONLINE", "admin_state_up": true, "project_id": "project", "flavor_id": nil,
		"availability_zone": nil,
	})
	c.giveAddress(made)
	c.add("loadbalancers", "loadbalancer", made)
	for _, listener := range objects(tree, "listeners") {
		c.createListener(text(made, "id"), listener)
	}
	return made
}

// giveAddress finds the VIP's subnet and address as Octavia does: from its port, else from its subnet, else from the
// network's first subnet, of IPv4 if there is one.
func (c *cloud) giveAddress(made object) {
	if port := c.find("ports", text(made, "vip_port_id")); port != nil {
		if fixed := objects(port, "fixed_ips"); len(fixed) > 0 {
			defaults(made, object{"vip_subnet_id": fixed[0]["subnet_id"], "vip_address": fixed[0]["ip_address"]})
		}
		defaults(made, object{"vip_network_id": port["network_id"]})
	}
	if text(made, "vip_subnet_id") == "" {
		for _, subnet := range c.where("subnets", "network_id", text(made, "vip_network_id")) {
			if text(made, "vip_subnet_id") == "" || fmt.Sprint(subnet["ip_version"]) == "4" {
				made["vip_subnet_id"] = subnet["id"]
			}
			if fmt.Sprint(subnet["ip_version"]) == "4" {
				break
			}
		}
	}
	if subnet := c.find("subnets", text(made, "vip_subnet_id")); subnet != nil {
		made["vip_network_id"] = subnet["network_id"]
		if text(made, "vip_address") == "" {
			prefix := strings.Split(text(subnet, "cidr"), "/")[0]
			prefix = strings.TrimSuffix(prefix, ".0")
			if !strings.Contains(prefix, ":") {
				prefix += "."
			}
			made["vip_address"] = prefix + "200"
		}
	}
	if text(made, "vip_port_id") == "" {
		made["vip_port_id"] = text(c.add("ports", "port-vip", object{
			"device_owner": "Octavia", "network_id": made["vip_network_id"], "security_groups": []string{},
			"fixed_ips": []object{{"subnet_id": made["vip_subnet_id"], "ip_address": made["vip_address"]}},
		}), "id")
	}
}

func (c *cloud) createListener(balancer string, wanted object) object {
	made := merge(object{}, wanted)
	delete(made, "default_pool")
	made["loadbalancer_id"] = balancer
	defaults(made, object{
		"connection_limit": -1, "tags": []string{}, "timeout_client_data": 50000, "timeout_member_connect": 5000,
		"timeout_member_data": 50000, "timeout_tcp_inspect": 0, "allowed_cidrs": nil, "insert_headers": object{},
		"default_tls_container_ref": nil, "admin_state_up": true,
	})
	c.add("listeners", "listener", made)
	if pool, ok := wanted["default_pool"].(object); ok {
		c.createPool(balancer, text(made, "id"), pool)
	}
	return made
}

func (c *cloud) createPool(balancer, listener string, wanted object) object {
	made := merge(object{}, wanted)
	delete(made, "members")
	delete(made, "healthmonitor")
	made["loadbalancer_id"], made["listener_id"] = balancer, listener
	defaults(made, object{"session_persistence": nil, "admin_state_up": true, "tags": []string{}})
	c.add("pools", "pool", made)
	for _, member := range objects(wanted, "members") {
		c.createMember(text(made, "id"), member)
	}
	if monitor, ok := wanted["healthmonitor"].(object); ok {
		c.createMonitor(text(made, "id"), monitor)
	}
	return made
}

func (c *cloud) createMember(pool string, wanted object) object {
	made := merge(object{"pool_id": pool}, wanted)
	defaults(made, object{
		"weight": 1, "backup": false, "admin_state_up": true, "subnet_id": nil, "monitor_port": nil, "monitor_address": nil,
	})
	return c.add("members", "member", made)
}

func (c *cloud) createMonitor(pool string, wanted object) object {
	made := merge(object{}, wanted)
	made["pool_id"] = pool
	defaults(made, object{"max_retries_down": 3, "admin_state_up": true})
	return c.add("healthmonitors", "monitor", made)
}

// trees are all load balancers with what is in them, as plant takes them.
func (c *cloud) trees() []object {
	found := []object{}
	for _, balancer := range c.collections["loadbalancers"] {
		tree := merge(object{}, balancer)
		listeners := []object{}
		for _, listener := range c.where("listeners", "loadbalancer_id", text(balancer, "id")) {
			branch := merge(object{}, listener)
			for _, pool := range c.where("pools", "listener_id", text(listener, "id")) {
				twig := merge(object{}, pool)
				twig["members"] = c.where("members", "pool_id", text(pool, "id"))
				for _, monitor := range c.where("healthmonitors", "pool_id", text(pool, "id")) {
					twig["healthmonitor"] = monitor
				}
				branch["default_pool"] = twig
			}
			listeners = append(listeners, branch)
		}
		tree["listeners"] = listeners
		found = append(found, tree)
	}
	return found
}
