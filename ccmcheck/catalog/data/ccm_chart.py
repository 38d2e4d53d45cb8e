"""The CCM's own chart by its versions: its default values, and what its templates make of values.

Source: kubernetes/cloud-provider-openstack charts/openstack-cloud-controller-manager (values.yaml, templates/daemonset.yaml,
secret.yaml, clusterrole.yaml, _helpers.tpl) at the tags ``openstack-cloud-controller-manager-1.0.0`` to ``-2.36.0``.
"""

from __future__ import annotations

from functools import cache

from ccmcheck.base.data_files import read_table
from ccmcheck.catalog.data.deployments import CCM

TURNS = {what: tuple(versions) for what, *versions in read_table(__file__, "ccm_chart_turns.tsv")}
"""By what the chart does or reads: the version that it begins with, the one that it ends with, and so on by turns.

Backports to older branches make the turns; so 2.29.3 lacks what 2.29.2 has.
"""

HOST_FOLDERS = read_table(__file__, "ccm_chart_folders.tsv")
"""The folders of the host that the container has by default, each after what decides whether it has it."""

ROLE = [(group, resource, verbs.split()) for group, resource, verbs in read_table(__file__, "ccm_chart_role.tsv")]
"""The rules of its ClusterRole: the group, the resource, the verbs; a resource of `TURNS` by its versions."""

OLD_ROLE = f"system:{CCM}"
"""What the role is called where no value names it."""
OLD_REPOSITORY = f"docker.io/k8scloudprovider/{CCM}"
MOUNTED_AT = "/etc/config"
CONF_KEY = "cloud.conf"
FIXED: dict[str, str] = dict(read_table(__file__, "ccm_chart_fixed.tsv"))
"""Values that the first versions do not read, each with what begins when they do."""

DRIVER_CHARTS = ("openstack-cinder-csi", "cinder-csi-plugin")
"""The Cinder CSI driver's chart and its folder.

Source: kubernetes/cloud-provider-openstack charts/cinder-csi-plugin (values.yaml, templates/controllerplugin-deployment.yaml)
at v1.26.0 to v1.36.0.
"""
VALUES_OF = "Values of "
"""How values are collected as an object: with the chart's name behind it, and the version as the object's name."""
CHARTS = {CCM: CCM, **dict.fromkeys(DRIVER_CHARTS, DRIVER_CHARTS[0])}
CHARTS["openstack-manila-csi"] = CHARTS["manila-csi-plugin"] = "openstack-manila-csi"
CHARTS["openstack-cluster"] = "openstack-cluster"
"""Upstream's charts by their names and folders, and one that installs them (azimuth-cloud/capi-helm-charts)."""


@cache
def values_read() -> dict[str, dict[str, tuple[str, ...]]]:
    """By the chart: the values that its templates read, each with the versions, as `TURNS` has them."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for chart, path, *versions in read_table(__file__, "chart_values.tsv"):
        found.setdefault(chart, {})[path] = tuple(versions)
    return found


DRIVER_FOLDERS = {False: "/etc/kubernetes", True: "/etc/config"}
"""Where it mounts the cloud.conf, by whether it does so in the newest versions."""
DRIVER_DEFAULTS: dict[str, object] = {"secret": {"enabled": False, "hostMount": True, "filename": "cloud.conf"}}
DRIVER_CACERT = "/etc/cacert"
"""The folder of the host that its containers have by default."""
