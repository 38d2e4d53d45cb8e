//go:build ccm_early

package main

import (
	"bytes"

	cloudprovider "k8s.io/cloud-provider"

	"k8s.io/cloud-provider-openstack/pkg/cloudprovider/providers/openstack"
)

// provider reads a cloud.conf and logs in where url says, whatever the file has; with an error comes what it is an error of.
func provider(config []byte, url string) (cloudprovider.Interface, string, error) {
	read, err := openstack.ReadConfig(bytes.NewReader(config))
	if err != nil {
		return nil, "config", err
	}
	read.Global.AuthURL = url + "/identity/v3"
	made, err := openstack.NewOpenStack(read)
	return made, "start", err
}
