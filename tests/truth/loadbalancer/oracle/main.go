// Lets the load balancer code of one release of cloud-provider-openstack reconcile many Services.
//
// One JSON request a line on standard input, one JSON answer a line on standard output, in the same order and written at
// once: whoever reads can tell by the number of answers which request ended the process. All of OpenStack is the stand-in
// of cloud.go on loopback; nothing else is asked.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
)

type request struct {
	ID      int            `json:"id"`
	Config  string         `json:"config"`
	Service corev1.Service `json:"service"`
	Nodes   []*corev1.Node `json:"nodes"`
	Cluster string         `json:"cluster_name"`
	// Octavia is the newest API version that the stand-in offers, such as 2.27.
	Octavia string `json:"octavia_version"`
	// Cloud is what exists: a list of objects for each collection of the stand-in, load balancers with all that is in them.
	Cloud map[string][]object `json:"cloud"`
	// Absent names parts of the service catalog that are missing, such as key-manager.
	Absent []string `json:"absent"`
	// Keep asks for what exists afterwards.
	Keep bool `json:"keep"`
}

type answer struct {
	ID int `json:"id"`
	// Outcome is ok or error for EnsureLoadBalancer, else config (the file is refused), start (the program ends),
	// unsupported (Services of type LoadBalancer are not looked at) or panic.
	Outcome string `json:"outcome"`
	Error   string `json:"error"`
	// Requests are all that the stand-in was asked, without Keystone's.
	Requests []asked                    `json:"requests"`
	Status   *corev1.LoadBalancerStatus `json:"status"`
	Events   []string                   `json:"events"`
	// Annotations are the Service's afterwards.
	Annotations map[string]string   `json:"annotations"`
	Cloud       map[string][]object `json:"cloud,omitempty"`
}

func main() {
	standIn := start()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, "bad request:", err)
			os.Exit(3)
		}
		if err := out.Encode(respond(standIn, &asked)); err != nil {
			fmt.Fprintln(os.Stderr, "cannot answer:", err)
			os.Exit(3)
		}
	}
}

func respond(standIn *standIn, asked *request) (given answer) {
	cloud := newCloud(asked)
	standIn.serve(cloud)
	defer standIn.rest()
	given.ID = asked.ID
	defer func() {
		if reason := recover(); reason != nil {
			given.Outcome, given.Error, given.Status = "panic", fmt.Sprint(reason), nil
		}
		given.Requests, given.Annotations = cloud.asked, asked.Service.Annotations
		if asked.Keep {
			given.Cloud = cloud.all()
		}
	}()
	ensure(standIn, asked, &given)
	return given
}
