"""The workload and the role that the CCM's own chart makes of its values: the objects that are judged, with the places.

What nothing sets is the chart's default where the values are complete, as in an object that installs the chart and
names no other values; else it is unknown.
"""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.carriers import workload
from ccmcheck.carriers.base import OWN_ACCOUNTS
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.written_service import made_object
from ccmcheck.catalog import ccm_chart
from ccmcheck.catalog.data.ccm_chart import CONF_KEY, FIXED, MOUNTED_AT, ROLE, TURNS, VALUES_OF
from ccmcheck.catalog.data.deployments import CCM
from ccmcheck.layers.placed_settings import PlacedItems, PlacedSettings, PlacedValue
from ccmcheck.layers.placed_values import Leaf, List, Map, PlacedReader, Tree, read_within
from ccmcheck.yamlio import Mapping

KIND, ROLE_KIND = "DaemonSet", "ClusterRole"
_VOLUME = "cloud-config-volume"
_SECRET: dict[str, object] = {"name": _VOLUME, "secret": {"secretName": "{secret.name}"}}
_MOUNT: dict[str, object] = {"name": _VOLUME, "mountPath": MOUNTED_AT, "readOnly": True}


def find(carrier: Carrier, values: Mapping | None, where: str, place: Span) -> None:
    """Collect the workload and the role of a release of the chart.

    Args:
        carrier: What installs the chart, or has values for it.
        values: The values; None where there are none.
        where: Where they are in the object, for people.
        place: What stands for the chart's defaults.
    """
    reader = PlacedReader(carrier.source.text, 0, carrier.source.has_mark)
    tree = reader.try_read(values) if values is not None else Map(place)
    if not isinstance(tree, Map):
        return
    carrier.note(values, VALUES_OF + CCM, carrier.chart_version)
    version = carrier.chart_version
    for name, turn in FIXED.items():
        if not ccm_chart.does(turn, version):
            tree.pop(name, None)
    settings = PlacedSettings(tree, ccm_chart.defaults(version), place, is_complete=carrier.has_all_values)
    name = settings.text("nameOverride").text or CCM
    metadata = {"name": name, **({"namespace": carrier.namespace} if carrier.namespace else {})}
    pod = {
        "nodeSelector": PlacedValue("nodeSelector"),
        "tolerations": PlacedValue("tolerations"),
        "securityContext": PlacedValue("podSecurityContext"),
        "containers": [_container(settings, version)],
        "volumes": _mounted(settings, version, _SECRET, "extraVolumes"),
    }
    spec = {"template": {"spec": pod}}
    whole = settings.made({"apiVersion": "apps/v1", "kind": KIND, "metadata": metadata, "spec": spec})
    obj = made_object(carrier, whole, where, KIND) if isinstance(whole, Map) else None
    if obj is not None:
        pods = carrier.collector.pods
        before = len(pods)
        carrier.collector.objects.append(obj)
        workload.find(obj, carrier)
        # the chart's version and the values' image are signs of a release of their own
        pods[before:] = [pod._replace(made_by=carrier.subject, release="") for pod in pods[before:]]
    role = made_object(carrier, _role(settings, version), where, ROLE_KIND)
    if role is not None:
        carrier.collector.objects.append(role)


def _role(settings: PlacedSettings, version: str) -> Map:
    """The CCM's ClusterRole."""
    rules: list[object] = [
        {"apiGroups": [group], "resources": [resource], "verbs": verbs}
        for group, resource, verbs in ROLE
        if resource not in TURNS or ccm_chart.does(resource, version)
    ]
    metadata = {"name": "{clusterRoleName}"}
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": ROLE_KIND, "metadata": metadata, "rules": rules}
    made = settings.made(role)
    return made if isinstance(made, Map) else Map(settings.place)


def _container(settings: PlacedSettings, version: str) -> dict[str, object]:
    """The CCM's container, as far as anything reads it."""
    does = ccm_chart.does
    has_own = "true" if does("accounts of their own", version) else "false"
    flags = ["--cloud-config=$(CLOUD_CONFIG)", "--cloud-provider=openstack", f"--{OWN_ACCOUNTS}={has_own}"]
    variables: list[object] = [{"name": "CLOUD_CONFIG", "value": f"{MOUNTED_AT}/{CONF_KEY}"}]
    if does("cluster.name", version):
        if settings.text("cluster.name").unknown:
            flags.insert(1, "--cluster-name=$(CLUSTER_NAME)")
            variables.append({"name": "CLUSTER_NAME", "value": "{cluster.name}"})
        else:  # by no variable, whose value nobody would be shown
            flags.insert(1, "--cluster-name={cluster.name}")
    if does("extraEnv", version):
        variables.append(PlacedItems("extraEnv"))
    return {
        "name": CCM,
        "image": _image(settings, version),
        "args": [f"/bin/{CCM}", *flags, *_controllers(settings, version), *more_flags(settings, "controllerExtraArgs")],
        "env": variables,
        "volumeMounts": _mounted(settings, version, _MOUNT, "extraVolumeMounts"),
    }


def _image(settings: PlacedSettings, version: str) -> Leaf:
    """The image: the chart's version is its tag where the values name none."""
    repository, tag = settings.text("image.repository"), settings.text("image.tag")
    names = ccm_chart.defaults(version)["image"]
    name = names["repository"] if repository.unknown and not repository.text else repository.text
    default = "" if tag.unknown else names.get("tag", "")
    shown = tag.text or default
    place = tag.place if tag.text else repository.place
    return Leaf(f"{name}:{shown}", f"{name}:{shown}", place, unknown=not shown or tag.unknown or "$" in name)


def _controllers(settings: PlacedSettings, version: str) -> list[Tree]:
    """The flag ``--controllers``."""
    listed = settings.at("enabledControllers") if ccm_chart.does("cluster.name", version) else None
    if isinstance(listed, Leaf):
        return [listed]
    names = (
        [item.text for item in listed if isinstance(item, Leaf) and not item.unknown]
        if isinstance(listed, List)
        else []
    )
    text = f"--controllers={','.join(names)}"
    return [Leaf(text, text, listed.place)] if isinstance(listed, List) and len(names) == len(listed) else []


def more_flags(settings: PlacedSettings, name: str) -> list[Tree]:
    """The flags of a value that is a text with a list; an unknown one where that is unknown."""
    given = settings.at(name)
    if isinstance(given, Leaf) and not given.unknown and "{{" not in given.text:
        given = read_within(given) if given.text.strip() else None
    if isinstance(given, Leaf):
        return [Leaf(None, "", given.place, unknown=True)]
    return list(given) if isinstance(given, List) else []


def _mounted(settings: PlacedSettings, version: str, own: dict[str, object], more: str) -> Tree | None:
    """The volumes, or where they are mounted; unknown where one of them is."""
    has_secret = settings.is_on("secret.enabled") if ccm_chart.does("secret.enabled", version) else True
    found = settings.made([*([own] if has_secret else ()), PlacedItems(more)])
    if has_secret is None or (isinstance(found, List) and any(isinstance(one, Leaf) for one in found)):
        return Leaf(None, "", settings.place, unknown=True)
    return found
