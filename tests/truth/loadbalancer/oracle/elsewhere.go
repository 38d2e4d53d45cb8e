package main

import "fmt"

// running is the code that acts in an OpenStack other than the stand-in, until an act restarts it.
var running *code

// elsewhere does the one act of a request; who serves that OpenStack knows what was asked.
func elsewhere(asked *request) (given answer) {
	one := &asked.Acts[0]
	given.ID = asked.ID
	defer func() {
		if reason := recover(); reason != nil {
			given.Outcome, given.Error, given.Status = "panic", fmt.Sprint(reason), nil
			running = nil
		}
		given.Annotations = one.Service.Annotations
	}()
	if running == nil || one.Kind == "restart" {
		if running = begin(asked.URL, asked.Config, &given); running == nil {
			return given
		}
	}
	running.do(one.Kind, asked.Cluster, &one.Service, one.Nodes, &given)
	return given
}
