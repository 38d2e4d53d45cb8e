package main

import (
	"bytes"
	"context"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/cloud-provider/controllers/service"
	"k8s.io/component-base/metrics/prometheus/controllers"
	_ "k8s.io/controller-manager/pkg/features/register" // the gates that the controller asks

	"k8s.io/cloud-provider-openstack/pkg/openstack"
)

const (
	longest = 90 * time.Second
	idle    = 5 * time.Second
	settles = 150 * time.Millisecond
)

// last has the events that end a sync of a Service.
var last = map[string]bool{"EnsuredLoadBalancer": true, "DeletedLoadBalancer": true, "SyncLoadBalancerFailed": true}

// sync starts the controller and stops it after the first sync of the Service.
func sync(asked *request) answer {
	config, err := openstack.ReadConfig(bytes.NewReader([]byte(asked.Config)))
	if err != nil {
		return answer{Outcome: "config", Error: err.Error()}
	}
	config.Global.AuthURL = asked.URL + "/identity/v3"
	cloud, err := openstack.NewOpenStack(config)
	if err != nil {
		return answer{Outcome: "start", Error: err.Error()}
	}
	there := []runtime.Object{asked.Service.DeepCopy()}
	for _, node := range asked.Nodes {
		there = append(there, node)
	}
	clientset := fake.NewSimpleClientset(there...)
	clientset.PrependReactor("patch", "services", release(clientset))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cloud.Initialize(builder{clientset}, ctx.Done())
	if _, supported := cloud.LoadBalancer(); !supported {
		return answer{Outcome: "unsupported"}
	}
	shared := informers.NewSharedInformerFactory(clientset, 0)
	controller, err := service.New(
		&first{Interface: cloud, done: ctx.Done()}, clientset, shared.Core().V1().Services(), quiet{shared.Core().V1().Nodes()}, asked.Cluster, nil,
	)
	if err != nil {
		return answer{Outcome: "start", Error: err.Error()}
	}
	shared.Start(ctx.Done())
	go controller.Run(ctx, 1, controllers.NewControllerManagerMetrics("truth"))
	return wait(clientset, asked)
}

func wait(clientset *fake.Clientset, asked *request) answer {
	began, changed, count := time.Now(), time.Now(), 0
	for {
		time.Sleep(10 * time.Millisecond)
		if now := len(clientset.Actions()); now != count {
			count, changed = now, time.Now()
		}
		events := events(clientset)
		quiet := time.Since(changed)
		ended := len(events) > 0 && last[events[len(events)-1].Reason]
		if (ended && quiet > settles) || (len(events) == 0 && quiet > idle) || time.Since(began) > longest {
			return given(clientset, asked, events, ended)
		}
	}
}

func given(clientset *fake.Clientset, asked *request, events []event, ended bool) answer {
	found := answer{Outcome: "nothing", Events: events}
	left, err := clientset.CoreV1().Services(asked.Service.Namespace).Get(context.Background(), asked.Service.Name, metav1.GetOptions{})
	if err == nil {
		found.Service = left
	}
	if len(events) > 0 {
		found.Outcome = "endless"
	}
	if ended {
		found.Outcome = "ok"
		if at := events[len(events)-1]; at.Reason == "SyncLoadBalancerFailed" {
			found.Outcome, found.Error = "error", strings.TrimPrefix(at.Message, "Error syncing load balancer: ")
		}
	}
	return found
}

// events are those that were written, in the order in which the code made them.
func events(clientset *fake.Clientset) []event {
	made := []*corev1.Event{}
	for _, action := range clientset.Actions() {
		if created, ok := action.(testing.CreateAction); ok {
			if one, ok := created.GetObject().(*corev1.Event); ok {
				made = append(made, one)
			}
		}
	}
	sort.SliceStable(made, func(i, j int) bool { return made[i].FirstTimestamp.Time.Before(made[j].FirstTimestamp.Time) })
	found := []event{}
	for _, one := range made {
		found = append(found, event{one.Source.Component, one.Type, one.Reason, one.Message})
		if last[one.Reason] {
			break
		}
	}
	return found
}

// quiet keeps the nodes' informer from telling of new nodes: all of them are there when the Service is synced, and a sync of
// the nodes at the same time would end in either order.
type quiet struct{ coreinformers.NodeInformer }

func (q quiet) Informer() cache.SharedIndexInformer { return deaf{q.NodeInformer.Informer()} }

type deaf struct{ cache.SharedIndexInformer }

func (deaf) AddEventHandlerWithResyncPeriod(cache.ResourceEventHandler, time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return nil, nil
}

// release deletes a Service that is to be deleted once its finalizer goes, as the API server does.
func release(clientset *fake.Clientset) testing.ReactionFunc {
	return func(action testing.Action) (bool, runtime.Object, error) {
		patch := action.(testing.PatchAction)
		if !bytes.Contains(patch.GetPatch(), []byte("finalizers")) {
			return false, nil, nil
		}
		found, err := clientset.Tracker().Get(action.GetResource(), action.GetNamespace(), patch.GetName())
		if err != nil {
			return true, nil, err
		}
		left := found.(*corev1.Service).DeepCopy()
		if left.DeletionTimestamp == nil {
			return false, nil, nil
		}
		left.Finalizers = nil
		return true, left, clientset.Tracker().Delete(action.GetResource(), action.GetNamespace(), patch.GetName())
	}
}

// builder hands out the one clientset.
type builder struct{ clientset kubernetes.Interface }

func (b builder) Config(string) (*rest.Config, error)         { return &rest.Config{}, nil }
func (b builder) ConfigOrDie(string) *rest.Config             { return &rest.Config{} }
func (b builder) Client(string) (kubernetes.Interface, error) { return b.clientset, nil }
func (b builder) ClientOrDie(string) kubernetes.Interface     { return b.clientset }
