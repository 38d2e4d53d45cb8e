package main

import (
	"fmt"
	"net/url"
	"strings"
)

// cloud is what there is, and what was asked for.
type cloud struct {
	url         string
	octavia     string
	absent      map[string]bool
	collections map[string][]object
	// taken are the IDs that anything has or had.
	taken map[string]bool
	asked []asked
}

func newCloud(wanted *request) *cloud {
	made := &cloud{
		octavia:     wanted.Octavia,
		absent:      map[string]bool{},
		collections: map[string][]object{},
		taken:       map[string]bool{},
		asked:       []asked{},
	}
	for _, name := range wanted.Absent {
		made.absent[name] = true
	}
	for name, objects := range wanted.Cloud {
		if name != "loadbalancers" {
			made.collections[name] = objects
			for _, known := range objects {
				made.taken[text(known, "id")] = true
			}
		}
	}
	for _, tree := range wanted.Cloud["loadbalancers"] {
		made.reserve(tree)
	}
	for _, tree := range wanted.Cloud["loadbalancers"] {
		made.plant(tree)
	}
	return made
}

// reserve keeps the IDs in a tree from being given again.
func (c *cloud) reserve(tree object) {
	for _, value := range tree {
		switch value := value.(type) {
		case object:
			c.reserve(value)
		case []interface{}:
			for _, each := range value {
				if one, ok := each.(object); ok {
					c.reserve(one)
				}
			}
		}
	}
	c.taken[text(tree, "id")] = true
}

// all gives everything, load balancers as trees again.
func (c *cloud) all() map[string][]object {
	everything := map[string][]object{"loadbalancers": c.trees()}
	for name, objects := range c.collections {
		switch name {
		case "loadbalancers", "listeners", "pools", "members", "healthmonitors":
		default:
			everything[name] = objects
		}
	}
	return everything
}

func (c *cloud) answer(service, method, path string, query url.Values, body object) reply {
	parts := strings.Split(path, "/")
	switch service {
	case "network":
		return c.network(method, parts[1:], query, body)
	case "load-balancer":
		if path == "" {
			return c.versions()
		}
		return c.balancing(method, parts[2:], query, body)
	case "compute":
		return c.compute(parts[1:], query)
	case "key-manager":
		return c.secrets(parts[1:])
	}
	return missing(path)
}

func missing(what string) reply {
	return reply{404, object{"faultstring": what + " could not be found", "faultcode": "Client"}}
}

// add keeps an object, with an id if it has none.
func (c *cloud) add(collection, kind string, made object) object {
	for number := 1; text(made, "id") == ""; number++ {
		if id := identify(fmt.Sprintf("%s-%d", kind, number)); !c.taken[id] {
			made["id"] = id
		}
	}
	c.taken[text(made, "id")] = true
	c.collections[collection] = append(c.collections[collection], made)
	return made
}

func (c *cloud) find(collection, id string) object {
	for _, known := range c.collections[collection] {
		if known["id"] == id {
			return known
		}
	}
	return nil
}

// remove forgets the objects of a collection that have the value in the field.
func (c *cloud) remove(collection, field, value string) {
	kept := []object{}
	for _, known := range c.collections[collection] {
		if known[field] != value {
			kept = append(kept, known)
		}
	}
	c.collections[collection] = kept
}

// where lists the objects of a collection that have the value in the field.
func (c *cloud) where(collection, field, value string) []object {
	found := []object{}
	for _, known := range c.collections[collection] {
		if known[field] == value {
			found = append(found, known)
		}
	}
	return found
}

func text(from object, field string) string {
	value, _ := from[field].(string)
	return value
}

func objects(from object, field string) []object {
	found := []object{}
	switch list := from[field].(type) {
	case []interface{}:
		for _, each := range list {
			if one, ok := each.(object); ok {
				found = append(found, one)
			}
		}
	case []object:
		found = list
	}
	return found
}

// strings_ are the items of a list of strings.
func strings_(from object, field string) []string {
	found := []string{}
	switch list := from[field].(type) {
	case []interface{}:
		for _, each := range list {
			if one, ok := each.(string); ok {
				found = append(found, one)
			}
		}
	case []string:
		found = list
	}
	return found
}

func merge(into, from object) object {
	for field, value := range from {
		into[field] = value
	}
	return into
}

func defaults(into, from object) object {
	for field, value := range from {
		if _, known := into[field]; !known {
			into[field] = value
		}
	}
	return into
}

func references(to []object) []object {
	found := []object{}
	for _, each := range to {
		found = append(found, object{"id": each["id"]})
	}
	return found
}
