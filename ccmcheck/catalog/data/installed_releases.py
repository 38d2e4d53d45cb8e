"""Which release of the CCM its published chart and its manifests install, and what its first tags are.

Sources, both kubernetes/cloud-provider-openstack: ``index.yaml`` of the branch ``gh-pages`` at e9b6bb4bf (2026-05-13), each
version with its ``appVersion``, which is the image's tag unless the values set one; and the image in
``manifests/controller-manager/openstack-cloud-controller-manager-ds.yaml`` (``-pod.yaml`` has the same) at every tag from
v1.14.0 to v1.36.0.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

CHART_RELEASES: dict[str, str] = dict(read_table(__file__, "chart_releases.tsv"))
"""By the chart's version; ``latest`` moves, so that it names none."""

DRIVER_CHART_RELEASES: dict[str, str] = dict(read_table(__file__, "driver_chart_releases.tsv"))
"""The same for the Cinder CSI driver's chart."""

FIRST_MANIFESTS = (1, 15)
"""The first minor release whose manifests name a release at all."""

MANIFEST_RELEASES: dict[str, str] = dict(read_table(__file__, "manifest_releases.tsv"))
"""The tags whose manifests install another release than their own."""

EARLY_TAGS = {"v0.1.0": (1, 10, 0), "v0.2.0": (1, 11, 0), "v0.3.0": (1, 12, 0)}
"""The tags from before the CCM's releases were numbered as Kubernetes', each as its place among the later ones.

Source: kubernetes/cloud-provider-openstack. v0.1.0 (b5edee02a, 2018-05-16) reads the file as the tip of release-1.10 does, v0.2.0
(5bbf82c00) as that of release-1.11: the options' types and what reads them are the same text. v0.3.0 and 1.12.0 are one commit.
"""
