package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

// first lets the controller call the load balancer code for one sync; a retry waits until the program ends.
type first struct {
	cloudprovider.Interface
	done <-chan struct{}
}

func (f *first) LoadBalancer() (cloudprovider.LoadBalancer, bool) {
	balancer, supported := f.Interface.LoadBalancer()
	return &once{LoadBalancer: balancer, done: f.done}, supported
}

type once struct {
	cloudprovider.LoadBalancer
	done  <-chan struct{}
	ended bool
}

func (o *once) EnsureLoadBalancer(
	ctx context.Context, cluster string, service *corev1.Service, nodes []*corev1.Node,
) (*corev1.LoadBalancerStatus, error) {
	o.wait()
	return o.LoadBalancer.EnsureLoadBalancer(ctx, cluster, service, nodes)
}

func (o *once) EnsureLoadBalancerDeleted(ctx context.Context, cluster string, service *corev1.Service) error {
	o.wait()
	return o.LoadBalancer.EnsureLoadBalancerDeleted(ctx, cluster, service)
}

// wait is called by the controller's one worker.
func (o *once) wait() {
	if o.ended {
		<-o.done
	}
	o.ended = true
}
