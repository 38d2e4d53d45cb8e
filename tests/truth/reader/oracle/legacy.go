//go:build legacy

package main

import (
	"bytes"
	"io"
	_ "unsafe" // for linkname

	gcfg "gopkg.in/gcfg.v1"
	"k8s.io/legacy-cloud-providers/openstack"
)

// The in-tree provider does not export its function.
//
//go:linkname readConfig k8s.io/legacy-cloud-providers/openstack.readConfig
func readConfig(config io.Reader) (openstack.Config, error)

func init() {
	consumers["legacy-in-tree"] = consumer{
		read: func(data []byte) (interface{}, error) {
			return readConfig(bytes.NewReader(data))
		},
		blank: func() interface{} { return new(openstack.Config) },
		// Up to 1.24 an unknown name is an error like any other.
		pass: func(err error) error {
			if _, refused := readConfig(bytes.NewReader([]byte("[x]"))); refused == nil {
				return gcfg.FatalOnly(err)
			}
			return err
		},
	}
}
