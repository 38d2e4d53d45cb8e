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
	// Acts are done one after another by one process in one cloud, in place of a single EnsureLoadBalancer.
	Acts []act `json:"acts"`
	// URL is where another OpenStack is, in which the one act of the request is done; empty for the stand-in.
	URL string `json:"url"`
}

// act is one call of the load balancer code.
type act struct {
	// Kind is ensure, update (of the nodes), delete, or restart: a new process, which then ensures.
	Kind    string         `json:"kind"`
	Service corev1.Service `json:"service"`
	Nodes   []*corev1.Node `json:"nodes"`
	// Config is another cloud.conf for a restart; empty for the same.
	Config string `json:"config"`
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
	// Steps are the answers to the acts.
	Steps []answer `json:"steps,omitempty"`
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
	if asked.URL != "" {
		return elsewhere(asked)
	}
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
	if len(asked.Acts) > 0 {
		given.Steps = play(standIn, cloud, asked)
		return given
	}
	if balancer := begin(standIn.url, asked.Config, &given); balancer != nil {
		balancer.do("ensure", asked.Cluster, &asked.Service, asked.Nodes, &given)
	}
	return given
}

// play does the acts; what the CCM writes to a Service is there in its next act.
func play(standIn *standIn, cloud *cloud, asked *request) (steps []answer) {
	written := map[string]map[string]string{}
	var balancer *code
	for number := range asked.Acts {
		one := &asked.Acts[number]
		step := answer{}
		service := &one.Service
		title := service.Namespace + "/" + service.Name
		for name, value := range written[title] {
			if service.Annotations == nil {
				service.Annotations = map[string]string{}
			}
			service.Annotations[name] = value
		}
		before := map[string]bool{}
		for name := range service.Annotations {
			before[name] = true
		}
		cloud.asked = noRequests()
		func() {
			defer func() {
				if reason := recover(); reason != nil {
					step.Outcome, step.Error, step.Status = "panic", fmt.Sprint(reason), nil
					balancer = nil
				}
			}()
			if balancer == nil || one.Kind == "restart" {
				config := asked.Config
				if one.Config != "" {
					config = one.Config
				}
				if balancer = begin(standIn.url, config, &step); balancer == nil {
					return
				}
			}
			balancer.do(one.Kind, asked.Cluster, service, one.Nodes, &step)
		}()
		step.Requests, step.Annotations, step.Cloud = cloud.asked, service.Annotations, copied(cloud.all())
		for name, value := range service.Annotations {
			if !before[name] || written[title][name] != "" {
				if written[title] == nil {
					written[title] = map[string]string{}
				}
				written[title][name] = value
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// copied keeps a state from later changes.
func copied(state map[string][]object) (kept map[string][]object) {
	raw, _ := json.Marshal(state)
	_ = json.Unmarshal(raw, &kept)
	return kept
}
