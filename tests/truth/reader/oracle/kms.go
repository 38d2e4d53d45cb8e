//go:build kms

package main

import (
	"bytes"

	gcfg "gopkg.in/gcfg.v1"
	"k8s.io/cloud-provider-openstack/pkg/kms/barbican"
)

// The plugin's own function is not exported; it is these two calls.
func init() {
	consumers["barbican-kms-plugin"] = consumer{
		read: func(data []byte) (interface{}, error) {
			var config barbican.Config
			err := gcfg.FatalOnly(gcfg.ReadInto(&config, bytes.NewReader(data)))
			return config, err
		},
		blank: func() interface{} { return new(barbican.Config) },
	}
}
