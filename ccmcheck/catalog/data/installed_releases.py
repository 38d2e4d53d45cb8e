"""Which release of the CCM its published chart and its manifests install, and what its first tags are.

Sources, both kubernetes/cloud-provider-openstack: ``index.yaml`` of the branch ``gh-pages`` at e9b6bb4bf (2026-05-13), each
version with its ``appVersion``, which is the image's tag unless the values set one; and the image in
``manifests/controller-manager/openstack-cloud-controller-manager-ds.yaml`` (``-pod.yaml`` has the same) at every tag from
v1.14.0 to v1.36.0.
"""

from __future__ import annotations

CHART_RELEASES = {
    "1.0.0": "latest",
    "1.0.1": "v1.21.0",
    "1.0.2": "v1.21.0",
    "1.1.1": "latest",
    "1.1.2": "v1.22.0",
    "1.2.0": "v1.23.0",
    "1.3.0": "v1.24.0",
    "1.4.0": "v1.25.0",
    "2.24.0": "v1.24.6",
    "2.25.0": "v1.25.5",
    "2.25.1": "v1.25.6",
    "2.26.0": "v1.26.2",
    "2.26.5": "v1.26.4",
    "2.27.0": "v1.27.0",
    "2.27.1": "v1.27.1",
    "2.27.3": "v1.27.2",
    "2.27.4": "v1.27.2",
    "2.27.5": "v1.27.3",
    "2.27.6": "v1.27.3",
    "2.28.0-alpha.2": "v1.27.0",
    "2.28.0-alpha.3": "v1.27.1",
    "2.28.0-alpha.4": "v1.27.1",
    "2.28.0-alpha.5": "v1.27.1",
    "2.28.0-alpha.6": "v1.27.1",
    "2.28.0-alpha.7": "v1.27.1",
    "2.28.0": "v1.28.0",
    "2.28.1": "v1.28.1",
    "2.28.2": "v1.28.1",
    "2.28.3": "v1.28.1",
    "2.28.4": "v1.28.2",
    "2.28.5": "v1.28.3",
    "2.29.0-alpha.0": "v1.28.0",
    "2.29.0-alpha.1": "v1.28.0",
    "2.29.0-alpha.2": "v1.28.0",
    "2.29.0-alpha.3": "v1.28.0",
    "2.29.0-alpha.4": "v1.28.0",
    "2.29.0-alpha.5": "v1.28.0",
    "2.29.0": "v1.29.0",
    "2.29.1": "v1.29.0",
    "2.29.2": "v1.29.0",
    "2.29.3": "v1.29.1",
    "2.30.0": "v1.30.0",
    "2.30.1": "v1.30.0",
    "2.30.2": "v1.30.0",
    "2.30.3": "v1.30.1",
    "2.30.4": "v1.30.2",
    "2.30.5": "v1.30.3",
    "2.31.0": "v1.31.0",
    "2.31.1": "v1.31.1",
    "2.31.3": "v1.31.3",
    "2.32.0-alpha.0": "v1.31.2",
    "2.32.0": "v1.32.0",
    "2.33.0-alpha.0": "v1.32.0",
    "2.33.0": "v1.33.0",
    "2.33.1": "v1.33.1",
    "2.34.0": "v1.34.0",
    "2.34.1": "v1.34.1",
    "2.34.2": "v1.34.1",
    "2.35.0": "v1.35.0",
    "2.36.0": "v1.36.0",
}
"""By the chart's version; ``latest`` moves, so that it names none."""

FIRST_MANIFESTS = (1, 15)
"""The first minor release whose manifests name a release at all."""

MANIFEST_RELEASES = {
    "v1.17.0": "latest",
    "v1.18.1": "v1.18.0",
    "v1.18.2": "v1.18.0",
    "v1.19.1": "v1.19.0",
    "v1.19.2": "v1.19.0",
    "v1.19.3": "v1.19.2",
    "v1.19.4": "v1.19.2",
    "v1.19.5": "v1.19.2",
    "v1.20.1": "v1.20.0",
    "v1.20.2": "v1.20.0",
    "v1.20.3": "v1.20.0",
    "v1.20.4": "v1.20.0",
    "v1.20.5": "v1.20.0",
    "v1.21.1": "v1.21.0",
    "v1.22.1": "v1.22.0",
    "v1.22.2": "v1.22.0",
    "v1.23.1": "v1.23.0",
    "v1.23.2": "v1.23.0",
    "v1.23.3": "v1.23.0",
    "v1.23.4": "v1.23.0",
    "v1.24.0": "latest",
    "v1.24.1": "v1.24.0",
    "v1.24.2": "v1.24.0",
    "v1.24.3": "v1.24.2",
    "v1.24.4": "v1.24.0",
    "v1.24.5": "v1.24.2",
    "v1.25.0": "latest",
    "v1.25.1": "v1.25.0",
    "v1.25.2": "v1.25.0",
    "v1.25.3": "v1.25.0",
    "v1.26.0": "latest",
    "v1.31.0": "v1.30.0",
}
"""The tags whose manifests install another release than their own."""

EARLY_TAGS = {
    "v0.1.0": (1, 10, 0),
    "v0.2.0": (1, 11, 0),
    "v0.3.0": (1, 12, 0),
}
"""The tags from before the CCM's releases were numbered as Kubernetes', each as its place among the later ones.

Source: kubernetes/cloud-provider-openstack. v0.1.0 (b5edee02a, 2018-05-16) reads the file as the tip of release-1.10 does, v0.2.0
(5bbf82c00) as that of release-1.11: the options' types and what reads them are the same text. v0.3.0 and 1.12.0 are one commit.
"""
