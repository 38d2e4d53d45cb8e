"""The workload that the Cinder CSI driver's own chart makes of its values: the driver reads a cloud.conf, too.

Manila's chart mounts none: that driver is given its login by the Secret that a StorageClass names.
"""

from __future__ import annotations

from ccmcheck.carriers import workload
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.chart_workload import more_flags
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.written_service import made_object
from ccmcheck.catalog import ccm_chart
from ccmcheck.catalog.data.ccm_chart import DRIVER_CACERT, DRIVER_DEFAULTS, DRIVER_FOLDERS
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.data.installed_releases import DRIVER_CHART_RELEASES
from ccmcheck.catalog.signs.releases import release_of_chart
from ccmcheck.layers.placed_settings import PlacedItems, PlacedSettings
from ccmcheck.layers.placed_values import Map, PlacedReader
from ccmcheck.yamlio import Mapping

_KIND = "Deployment"
_EXTRA_ARGS = ("csi.plugin.extraArgs", "csi.plugin.controllerPlugin.extraArgs")
_CONFIG, _CERTIFICATES = "cloud-config", "cacert"


def find(obj: KubernetesObject, carrier: Carrier, values: Mapping | None) -> None:
    """Collect the driver's controller, where it is known which file it reads.

    Args:
        obj: What installs the chart.
        carrier: The same.
        values: Its values; None where there are none.
    """
    source = carrier.source
    place = (values or obj.node).content
    tree = PlacedReader(source.text, 0, source.has_mark).try_read(values) if values is not None else Map(place)
    if not isinstance(tree, Map):
        return
    folder = DRIVER_FOLDERS[ccm_chart.does("driver reads /etc/config", carrier.chart_version)]
    file = "{secret.filename}" if ccm_chart.does("driver reads secret.filename", carrier.chart_version) else _CONFIG
    mount = {"name": _CONFIG, "mountPath": folder, "readOnly": True}
    certificates = {"name": _CERTIFICATES, "mountPath": DRIVER_CACERT, "readOnly": True}
    of_host = {"name": _CERTIFICATES, "hostPath": {"path": DRIVER_CACERT}}
    plugin = {"volumes": [of_host], "volumeMounts": [certificates, mount], "extraArgs": [], "controllerPlugin": {}}
    plugin["image"] = {"tag": release_of_chart(carrier.chart_version, DRIVER_CHART_RELEASES)}
    defaults = {**DRIVER_DEFAULTS, "csi": {"plugin": plugin, "provisioner": {"topology": "true"}}}
    settings = PlacedSettings(tree, defaults, place, is_complete=carrier.has_all_values)
    has_secret = ccm_chart.does("driver reads secret.enabled", carrier.chart_version)
    in_secret = settings.is_on("secret.enabled") if has_secret else False
    if in_secret is None or not (in_secret or settings.is_on("secret.hostMount")):
        return
    volume: dict[str, object] = (
        {"secret": {"secretName": "{secret.name}"}} if in_secret else {"hostPath": {"path": folder}}
    )
    flags = [flag for name in _EXTRA_ARGS for flag in more_flags(settings, name)]
    container = {
        "name": CINDER_CSI,
        "image": f"registry.k8s.io/provider-os/{CINDER_CSI}:{{csi.plugin.image.tag}}".removesuffix(":"),
        "args": ["--cloud-config=$(CLOUD_CONFIG)", *flags],
        "env": [{"name": "CLOUD_CONFIG", "value": f"{folder}/{file}"}],
        "volumeMounts": [PlacedItems("csi.plugin.volumeMounts")],
    }
    provisioner = {"name": "csi-provisioner", "args": ["--feature-gates=Topology={csi.provisioner.topology}"]}
    pod = {
        "containers": [container, provisioner],
        "volumes": [{"name": _CONFIG, **volume}, PlacedItems("csi.plugin.volumes")],
    }
    name = f"{carrier.release}-controllerplugin"
    metadata = {"name": name, **({"namespace": carrier.namespace} if carrier.namespace else {})}
    whole = settings.made({"kind": _KIND, "metadata": metadata, "spec": {"template": {"spec": pod}}})
    made = made_object(carrier, whole, "chart", _KIND) if isinstance(whole, Map) else None
    if made is not None:
        carrier.collector.objects.append(made)
        drivers = carrier.collector.drivers
        before = len(drivers)
        workload.find(made, carrier)
        drivers[before:] = [pod._replace(made_by=carrier.subject) for pod in drivers[before:]]
