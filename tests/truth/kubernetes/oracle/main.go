// Command apiserver says what kube-apiserver makes of new Services: a manifest's YAML, as a JSON text, a line in, the
// faults of it a line out.
//
// A Service goes the way that a POST takes: the strict decoder that kubectl asks for, defaults, allocation of addresses and
// ports (with kube-apiserver's default ranges, in memory), and validation.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	_ "unsafe"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/storage"
	"sigs.k8s.io/yaml"
)

//go:linkname makeAlloc k8s.io/kubernetes/pkg/registry/core/service/storage.makeAlloc
func makeAlloc(family api.IPFamily, addresses map[api.IPFamily]ipallocator.Interface, ports portallocator.Interface) storage.Allocators

type transaction interface {
	Commit()
	Revert()
}

//go:linkname allocateCreate k8s.io/kubernetes/pkg/registry/core/service/storage.(*Allocators).allocateCreate
func allocateCreate(al *storage.Allocators, service *api.Service, dryRun bool) (transaction, error)

//go:linkname normalizeClusterIPs k8s.io/kubernetes/pkg/registry/core/service/storage.normalizeClusterIPs
func normalizeClusterIPs(after storage.After, before storage.Before)

type fault struct {
	Reason string `json:"reason"`
	Field  string `json:"field"`
	Text   string `json:"text"`
}

func allocators() storage.Allocators {
	addresses := map[api.IPFamily]ipallocator.Interface{}
	for family, text := range map[api.IPFamily]string{api.IPv4Protocol: "10.96.0.0/16", api.IPv6Protocol: "fd00:10:96::/112"} {
		_, cidr, _ := net.ParseCIDR(text)
		found, err := ipallocator.NewInMemory(cidr)
		if err != nil {
			panic(err)
		}
		addresses[family] = found
	}
	ports, err := portallocator.NewInMemory(utilnet.PortRange{Base: 30000, Size: 2768})
	if err != nil {
		panic(err)
	}
	return makeAlloc(api.IPv4Protocol, addresses, ports)
}

// asked judges one line: a manifest's YAML as a JSON text, which kubectl makes JSON of.
func asked(line []byte) []fault {
	var text string
	if err := json.Unmarshal(line, &text); err != nil {
		panic(err)
	}
	found, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return []fault{{"yaml", "", err.Error()}}
	}
	return judge(found)
}

func judge(text []byte) []fault {
	codecs := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict)
	decoder := codecs.UniversalDecoder(schema.GroupVersion{Version: runtime.APIVersionInternal})
	found, _, err := decoder.Decode(text, nil, nil)
	var faults []fault
	if err != nil {
		strict, ok := runtime.AsStrictDecodingError(err)
		if !ok {
			return []fault{{"decode", "", err.Error()}}
		}
		for _, one := range strict.Errors() {
			faults = append(faults, fault{"strict", "", one.Error()})
		}
	}
	one, ok := found.(*api.Service)
	if !ok {
		return append(faults, fault{"decode", "", fmt.Sprintf("%T", found)})
	}
	if one.Namespace == "" {
		one.Namespace = metav1.NamespaceDefault
	}
	rest.FillObjectMetaSystemFields(one)
	al := allocators()
	normalizeClusterIPs(storage.After{Service: one}, storage.Before{})
	if _, err := allocateCreate(&al, one, false); err != nil {
		return append(faults, causes(err)...)
	}
	if err := rest.BeforeCreate(service.Strategy, request.WithNamespace(context.TODO(), one.Namespace), one); err != nil {
		return append(faults, causes(err)...)
	}
	return faults
}

func causes(err error) []fault {
	status, ok := err.(apierrors.APIStatus)
	if !ok || status.Status().Details == nil || len(status.Status().Details.Causes) == 0 {
		return []fault{{"error", "", err.Error()}}
	}
	var faults []fault
	for _, one := range status.Status().Details.Causes {
		faults = append(faults, fault{string(one.Type), one.Field, one.Message})
	}
	return faults
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			faults := asked(text)
			if faults == nil {
				faults = []fault{}
			}
			if err := out.Encode(faults); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
