package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// network answers as Neutron does.
func (c *cloud) network(method string, parts []string, query url.Values, body object) reply {
	collection := strings.Replace(parts[0], "-", "_", -1)
	one := strings.TrimSuffix(collection, "s")
	if len(parts) == 1 {
		if method == "POST" {
			wanted, _ := body[one].(object)
			return c.createNetworkPart(collection, one, wanted)
		}
		found := []object{}
		for _, known := range c.collections[collection] {
			if selected(known, query) {
				found = append(found, known)
			}
		}
		return reply{200, object{collection: found}}
	}
	known := c.find(collection, parts[1])
	if known == nil {
		return missing(parts[1])
	}
	if len(parts) > 3 {
		return tag(method, known, parts[3])
	}
	switch method {
	case "PUT":
		wanted, _ := body[one].(object)
		if collection == "floatingips" {
			known["port_id"] = nil // a port that is left out is let go
		}
		merge(known, wanted)
	case "DELETE":
		c.remove(collection, "id", parts[1])
		if collection == "security_groups" {
			c.remove("security_group_rules", "security_group_id", parts[1])
		}
		return reply{204, nil}
	}
	return reply{200, object{one: known}}
}

// tag gives an object a tag, or takes it away.
func tag(method string, known object, wanted string) reply {
	tags := []string{}
	for _, each := range strings_(known, "tags") {
		if each != wanted {
			tags = append(tags, each)
		}
	}
	if method == "PUT" {
		known["tags"] = append(tags, wanted)
		return reply{201, nil}
	}
	known["tags"] = tags
	return reply{204, nil}
}

func (c *cloud) createNetworkPart(collection, one string, made object) reply {
	switch collection {
	case "floatingips":
		c.add(collection, "floatingip", made)
		if text(made, "floating_ip_address") == "" {
			made["floating_ip_address"] = fmt.Sprintf("203.0.113.%d", 100+len(c.collections[collection]))
		}
		made["status"] = "ACTIVE"
	case "security_groups":
		c.add(collection, "security-group", made)
		// Neutron's own: everything may leave
		for _, kind := range []string{"IPv4", "IPv6"} {
			c.add("security_group_rules", "rule", object{
				"direction": "egress", "ethertype": kind, "security_group_id": made["id"], "protocol": nil,
				"remote_ip_prefix": nil, "port_range_min": nil, "port_range_max": nil,
			})
		}
	case "security_group_rules":
		if protocol := text(made, "protocol"); protocol != "" {
			made["protocol"] = strings.ToLower(protocol)
		}
		c.add(collection, "rule", made)
	default:
		c.add(collection, one, made)
	}
	return reply{201, object{one: made}}
}

// selected tells whether an object of Neutron has what a query asks for.
func selected(known object, query url.Values) bool {
	for field, values := range query {
		for _, value := range values {
			if !has(known, field, value) {
				return false
			}
		}
	}
	return true
}

func has(known object, field, value string) bool {
	switch field {
	case "tags", "tags-any", "not-tags", "not-tags-any":
		wanted := strings.Split(value, ",")
		count := 0
		for _, tag := range wanted {
			if contains(strings_(known, "tags"), tag) {
				count++
			}
		}
		switch field {
		case "tags":
			return count == len(wanted)
		case "tags-any":
			return count > 0
		case "not-tags":
			return count < len(wanted)
		}
		return count == 0
	case "security_groups":
		return contains(strings_(known, field), value)
	case "protocol":
		return text(known, field) == strings.ToLower(value)
	case "limit", "marker", "sort_key", "sort_dir":
		return true
	}
	return fmt.Sprint(known[field]) == value
}

func contains(list []string, wanted string) bool {
	for _, each := range list {
		if each == wanted {
			return true
		}
	}
	return false
}

// compute answers as Nova does: a server for each device that has a port.
func (c *cloud) compute(parts []string, query url.Values) reply {
	if len(parts) > 2 && parts[2] == "os-interface" {
		attached := []object{}
		for _, port := range c.where("ports", "device_id", parts[1]) {
			attached = append(attached, object{
				"port_id": port["id"], "net_id": port["network_id"], "fixed_ips": port["fixed_ips"], "port_state": "ACTIVE",
			})
		}
		return reply{200, object{"interfaceAttachments": attached}}
	}
	found := []object{}
	pattern := regexp.MustCompile(query.Get("name"))
	for _, server := range c.collections["servers"] {
		if pattern.MatchString(text(server, "name")) {
			found = append(found, server)
		}
	}
	return reply{200, object{"servers": found}}
}

// secrets answers as Barbican does: anything is there that is not called missing.
func (c *cloud) secrets(parts []string) reply {
	if len(parts) != 2 || strings.Contains(parts[1], "missing") {
		return missing(strings.Join(parts, "/"))
	}
	ref := c.url + "/key-manager/v1/" + strings.Join(parts, "/")
	return reply{200, object{"container_ref": ref, "secret_ref": ref, "status": "ACTIVE", "name": parts[1]}}
}
