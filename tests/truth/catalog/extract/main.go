// Prints what one release of cloud-provider-openstack declares of cloud.conf, as JSON: `go run . DIR`.
//
// The source is parsed, never compiled or run, so no dependency is needed and a release that no longer builds is read
// as well as any other. What the program cannot evaluate is listed under "undecided" for a person to look at.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
)

// Extract is everything that one release declares.
type Extract struct {
	GCFG        string       `json:"gcfg"`
	Readers     []Reader     `json:"readers"`
	Annotations []Annotation `json:"annotations"`
	Undecided   []string     `json:"undecided"`
}

// Reader is a program that reads cloud.conf.
type Reader struct {
	Consumer string    `json:"consumer"`
	Strict   bool      `json:"strict"` // an unknown name ends it: the error does not go through gcfg.FatalOnly
	Embeds   string    `json:"embeds,omitempty"`
	Sections []Section `json:"sections"`
}

// Section is a field of the struct that a program reads the file into.
type Section struct {
	Name        string `json:"name"`
	Subsections bool   `json:"subsections"`
	Keys        []Key  `json:"keys"`
}

// Key is a field of a section's struct.
type Key struct {
	Name       string `json:"name"`
	Field      string `json:"field"`
	Type       string `json:"type"`
	Default    any    `json:"default"`
	Set        string `json:"set"` // zero, before (reading the file) or empty (afterwards, where it still is)
	Documented bool   `json:"documented"`
	At         string `json:"at"`
}

// Annotation is one of the Service annotations that the CCM knows.
type Annotation struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Documented bool   `json:"documented"`
	At         string `json:"at"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . DIR")
		os.Exit(2)
	}
	source := NewSource(os.Args[1])
	extract := Extract{GCFG: source.gcfgVersion(), Readers: source.readers(), Annotations: source.annotations()}
	sort.Strings(source.undecided)
	extract.Undecided = source.undecided
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(extract); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
