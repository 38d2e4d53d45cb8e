package main

import (
	"context"
	"io/ioutil"
	"net/http"
	"reflect"
	"strings"
	"unsafe" // for linkname, and for fields that only the program itself sets

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	cloudprovider "k8s.io/cloud-provider"
)

// The program asks Octavia for its version once and keeps it.
//
//go:linkname octaviaVersion k8s.io/cloud-provider-openstack/pkg/util/openstack.octaviaVersion
var octaviaVersion string

// code is the load balancer code of one process.
type code struct {
	cloudprovider.LoadBalancer
	recorder *record.FakeRecorder
}

// begin does what the program does at its start; nil where it makes no load balancers.
func begin(url, config string, given *answer) *code {
	octaviaVersion = ""
	provider, outcome, err := provider([]byte(config), url)
	if err != nil {
		given.Outcome, given.Error = outcome, err.Error()
		return nil
	}
	balancer, supported := provider.LoadBalancer()
	if !supported {
		given.Outcome = "unsupported"
		return nil
	}
	recorder := record.NewFakeRecorder(1000)
	inside := reflect.ValueOf(balancer).Elem().FieldByName("LoadBalancer")
	set(inside, "kclient", kubernetes.Interface(kubernetes.NewForConfigOrDie(&rest.Config{Transport: willing{}, QPS: -1})))
	set(inside, "eventRecorder", record.EventRecorder(recorder))
	return &code{balancer, recorder}
}

// do is one call for one Service.
func (c *code) do(kind, cluster string, service *corev1.Service, nodes []*corev1.Node, given *answer) {
	given.Outcome = "ok"
	var err error
	switch kind {
	case "update":
		err = c.UpdateLoadBalancer(context.Background(), cluster, service, nodes)
	case "delete":
		err = c.EnsureLoadBalancerDeleted(context.Background(), cluster, service)
	default:
		given.Status, err = c.EnsureLoadBalancer(context.Background(), cluster, service, nodes)
	}
	if err != nil {
		given.Outcome, given.Error = "error", err.Error()
	}
	given.Events = []string{}
	for len(c.recorder.Events) > 0 {
		given.Events = append(given.Events, <-c.recorder.Events)
	}
}

// willing is a Kubernetes API that takes any change of a Service.
type willing struct{}

func (willing) RoundTrip(asked *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: asked,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   ioutil.NopCloser(strings.NewReader(`{"kind": "Service", "apiVersion": "v1"}`)),
	}, nil
}

// set sets a field if this release has it.
func set(record reflect.Value, name string, value interface{}) {
	if field := record.FieldByName(name); field.IsValid() {
		reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(value))
	}
}
