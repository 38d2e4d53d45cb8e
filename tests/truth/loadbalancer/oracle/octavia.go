package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// versions answers as Octavia's root does: all API versions up to its newest, which comes last.
func (c *cloud) versions() reply {
	list := []object{}
	for minor := 0; minor <= c.minor(); minor++ {
		status := "SUPPORTED"
		if minor == c.minor() {
			status = "CURRENT"
		}
		list = append(list, object{"id": fmt.Sprintf("v2.%d", minor), "status": status})
	}
	return reply{200, object{"versions": list}}
}

func (c *cloud) minor() int {
	number, err := strconv.Atoi(strings.TrimPrefix(c.octavia, "2."))
	if err != nil {
		panic("no version of Octavia's API: " + c.octavia)
	}
	return number
}

// singular is the name of one object of a collection in requests and answers.
var singular = map[string]string{
	"loadbalancers": "loadbalancer", "listeners": "listener", "pools": "pool", "members": "member",
	"healthmonitors": "healthmonitor",
}

// balancing answers as Octavia does, except that all is active at once and that only what is not active is refused.
func (c *cloud) balancing(method string, parts []string, query url.Values, body object) reply {
	collection, rest := parts[0], parts[1:]
	if refused := c.immutable(method, collection, rest); refused != nil {
		return *refused
	}
	if len(rest) > 1 {
		return c.members(method, rest[0], rest[2:], body)
	}
	one := singular[collection]
	if len(rest) == 0 {
		if method == "POST" {
			wanted, _ := body[one].(object)
			return reply{201, object{one: c.view(collection, c.create(collection, wanted))}}
		}
		found := []object{}
		for _, known := range c.collections[collection] {
			if matches(known, query) {
				found = append(found, c.view(collection, known))
			}
		}
		return reply{200, object{collection: found}}
	}
	known := c.find(collection, rest[0])
	if known == nil {
		return missing(rest[0])
	}
	switch method {
	case "PUT":
		wanted, _ := body[one].(object)
		merge(known, wanted)
	case "DELETE":
		c.drop(collection, rest[0])
		return reply{204, nil}
	}
	return reply{200, object{one: c.view(collection, known)}}
}

// immutable is the answer to a change of what is in a load balancer that is not active, and of the balancer itself.
func (c *cloud) immutable(method, collection string, rest []string) *reply {
	if method == "GET" || len(rest) == 0 {
		return nil
	}
	id := rest[0]
	if collection == "healthmonitors" {
		id, collection = text(c.find(collection, id), "pool_id"), "pools"
	}
	if collection != "loadbalancers" {
		id = text(c.find(collection, id), "loadbalancer_id")
	}
	balancer := c.find("loadbalancers", id)
	if balancer == nil || balancer["provisioning_status"] == "ACTIVE" {
		return nil
	}
	why := "Load Balancer " + id + " is immutable and cannot be updated."
	return &reply{409, object{"faultcode": "Client", "faultstring": why, "debuginfo": nil}}
}

func matches(known object, query url.Values) bool {
	for field, values := range query {
		if value := fmt.Sprint(known[field]); field != "cascade" && value != values[0] {
			return false
		}
	}
	return true
}

func (c *cloud) members(method, pool string, rest []string, body object) reply {
	if c.find("pools", pool) == nil {
		return missing(pool)
	}
	if len(rest) > 0 {
		c.remove("members", "id", rest[0])
		return reply{204, nil}
	}
	switch method {
	case "POST":
		wanted, _ := body["member"].(object)
		return reply{201, object{"member": c.createMember(pool, wanted)}}
	case "PUT":
		old := c.where("members", "pool_id", pool)
		c.remove("members", "pool_id", pool)
		for _, wanted := range objects(body, "members") {
			c.collections["members"] = append(c.collections["members"], c.replaced(pool, old, wanted))
		}
		return reply{202, nil}
	}
	found := []object{}
	for _, known := range c.where("members", "pool_id", pool) {
		found = append(found, c.view("members", known))
	}
	return reply{200, object{"members": found}}
}

// replaced is a member of a batch: the one that has its address and port, with what the batch says of it, else a new one.
func (c *cloud) replaced(pool string, old []object, wanted object) object {
	for _, known := range old {
		if known["address"] == wanted["address"] && known["protocol_port"] == wanted["protocol_port"] {
			// what the request leaves out has its default again
			return merge(merge(known, object{"monitor_port": nil, "monitor_address": nil, "weight": 1, "backup": false}), wanted)
		}
	}
	made := c.createMember(pool, wanted)
	c.remove("members", "id", text(made, "id"))
	return made
}

func (c *cloud) drop(collection, id string) {
	c.remove(collection, "id", id)
	switch collection {
	case "loadbalancers":
		for _, listener := range c.where("listeners", "loadbalancer_id", id) {
			c.drop("listeners", text(listener, "id"))
		}
		for _, pool := range c.where("pools", "loadbalancer_id", id) {
			c.drop("pools", text(pool, "id"))
		}
	case "listeners":
		for _, pool := range c.where("pools", "listener_id", id) {
			pool["listener_id"] = nil
		}
	case "pools":
		c.remove("members", "pool_id", id)
		c.remove("healthmonitors", "pool_id", id)
	}
}

// since has the fields that came with a later version of the API than 2.0.
var since = map[string]map[string]int{
	"loadbalancers": {"tags": 5, "flavor_id": 6, "availability_zone": 14},
	"listeners": {
		"tags": 5, "allowed_cidrs": 12, "timeout_client_data": 1, "timeout_member_connect": 1, "timeout_member_data": 1,
		"timeout_tcp_inspect": 1,
	},
	"pools": {"tags": 5}, "members": {"tags": 5, "backup": 1}, "healthmonitors": {"tags": 5},
}

// view is an object as the API shows it.
func (c *cloud) view(collection string, known object) object {
	shown := merge(object{}, known)
	id := text(known, "id")
	switch collection {
	case "loadbalancers":
		shown["listeners"] = references(c.where("listeners", "loadbalancer_id", id))
		shown["pools"] = references(c.where("pools", "loadbalancer_id", id))
	case "listeners":
		shown["loadbalancers"] = []object{{"id": known["loadbalancer_id"]}}
		if pools := c.where("pools", "listener_id", id); len(pools) > 0 {
			shown["default_pool_id"] = pools[0]["id"]
		}
	case "pools":
		shown["loadbalancers"] = []object{{"id": known["loadbalancer_id"]}}
		shown["listeners"] = references(c.where("listeners", "id", text(known, "listener_id")))
		shown["members"] = references(c.where("members", "pool_id", id))
		if monitors := c.where("healthmonitors", "pool_id", id); len(monitors) > 0 {
			shown["healthmonitor_id"] = monitors[0]["id"]
		}
	case "healthmonitors":
		shown["pools"] = []object{{"id": known["pool_id"]}}
	}
	for field, minor := range since[collection] {
		if c.minor() < minor {
			delete(shown, field)
		}
	}
	return shown
}
