"""What Kubernetes, Cluster API and OpenShift ask of the objects around a cloud.conf.

Sources are named at each table; "CPO" is kubernetes/cloud-provider-openstack, "CAPO" is
kubernetes-sigs/cluster-api-provider-openstack, "CAPI" is kubernetes-sigs/cluster-api.
"""

from __future__ import annotations

NODE_PORTS = (30000, 32767)
"""The first and the last NodePort by default (Kubernetes, kube-apiserver --service-node-port-range)."""
