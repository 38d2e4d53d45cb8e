//go:build ccm_late

package main

import (
	"bytes"

	"k8s.io/cloud-provider-openstack/pkg/openstack"
)

func init() {
	consumers["ccm"] = consumer{
		read: func(data []byte) (interface{}, error) {
			return openstack.ReadConfig(bytes.NewReader(data))
		},
		blank: func() interface{} { return new(openstack.Config) },
	}
}
