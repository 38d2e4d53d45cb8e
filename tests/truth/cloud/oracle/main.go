// Runs the service controller and the load balancer code of one release of cloud-provider-openstack for one Service.
//
// One JSON request on standard input, one JSON answer on standard output. Kubernetes is client-go's fake clientset; all of
// OpenStack is behind the URL of the request. A crash of the code is a crash of this program.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
)

type request struct {
	Config  string         `json:"config"`
	Service corev1.Service `json:"service"`
	Nodes   []*corev1.Node `json:"nodes"`
	Cluster string         `json:"cluster_name"`
	// URL is where Keystone is, whatever the configuration says.
	URL string `json:"url"`
}

type answer struct {
	// Outcome is ok or error for a sync of the Service, else config (the file is refused), start (the program ends),
	// unsupported (Services of type LoadBalancer are not looked at) or nothing (the Service is not synced).
	Outcome string  `json:"outcome"`
	Error   string  `json:"error"`
	Events  []event `json:"events"`
	// Service is what is left of it in Kubernetes.
	Service *corev1.Service `json:"service"`
}

type event struct {
	Source  string `json:"source"`
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fmt.Fprintln(os.Stderr, "bad request:", err)
		os.Exit(3)
	}
	given := sync(&asked)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if err := out.Encode(given); err != nil {
		fmt.Fprintln(os.Stderr, "cannot answer:", err)
		os.Exit(3)
	}
}
