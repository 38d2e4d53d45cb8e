//go:build csi_late

package main

import "k8s.io/cloud-provider-openstack/pkg/csi/cinder/openstack"

func init() {
	consumers["cinder-csi-plugin"] = consumer{
		read: throughFile(func(path string) (interface{}, error) {
			return openstack.GetConfigFromFiles([]string{path})
		}),
		blank: func() interface{} { return new(openstack.Config) },
	}
}
