"""Where the VIP and the members are: annotation, class, cloud.conf, else the first node's subnet.

Source: cloud-provider-openstack getNetworkID, getSubnetID, getMemberSubnetID, getSubnetIDForLB.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.gcfg.errors import quote as quoted
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.behaviours import Behaviours, behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState, Node, NodePort
from ccmcheck.predict.inputs.nodes import address_of
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.requests.notes import Notes

NODE_SUBNET = "00000000-0000-4000-8000-00000000a001"
"""Stands for the subnet of the first node where that is unknown."""

NO_ADDRESS = "no address found for host"

_PROVIDER_ID = lazy_regex(r"openstack://([^/]*+)/([^/]++)")


def vip(
    options: Options, annotations: Annotations, class_name: str, title: str, behaviours: Behaviours
) -> tuple[str, str]:
    """The network and the subnet that the VIP comes from.

    Args:
        options: The configuration.
        annotations: The Service's annotations.
        class_name: Its class; empty without one.
        title: The Service, for messages.
        behaviours: The release's behaviours.

    Raises:
        CcmError: There is no such class.
    """
    if not behaviours["member-subnets"]:
        return annotations.text("network-id", options.network_id), annotations.text("subnet-id", options.subnet_id)
    values = []
    for key, words in (("network-id", "network id"), ("subnet-id", "subnet")):
        value = annotations.text(key)
        if not value and class_name:
            chosen = options.classes.get(class_name)
            if chosen is None:
                raise CcmError(
                    f"failed to get {words} to create load balancer for service {title}: "
                    f"invalid loadbalancer class {quoted(class_name)}"
                )
            value = chosen.network_id if key == "network-id" else chosen.subnet_id
        values.append(value or (options.network_id if key == "network-id" else options.subnet_id))
    return values[0], values[1]


def member_subnet(options: Options, annotations: Annotations, class_name: str) -> str:
    """The members' own subnet; empty where none is set.

    Args:
        options: The configuration.
        annotations: The Service's annotations.
        class_name: Its class; empty without one.

    Raises:
        CcmError: There is no such class.
    """
    value = annotations.text("member-subnet-id")
    if value:
        return value
    if class_name:
        chosen = options.classes.get(class_name)
        if chosen is None:
            raise CcmError(f"unable to get member-subnet-id, invalid loadbalancer class {quoted(class_name)}")
        if chosen.member_subnet_id:
            return chosen.member_subnet_id
    return options.member_subnet_id


def of_node_update(
    options: Options, annotations: Annotations, cloud: CloudState, family: int, title: str, notes: Notes
) -> str:
    """The members' subnet when the nodes change: the first node's where only a network is set.

    Raises:
        CcmError: There is no such class, or the first node's subnet cannot be found.
    """
    behaviours = behaviours_of(options.release)
    class_name = annotations.text("class")
    subnet = member_subnet(options, annotations, class_name) if behaviours["member-subnets"] else ""
    if subnet or options.subnet_id:
        return subnet or options.subnet_id
    if class_name:
        chosen = options.classes.get(class_name)
        if chosen is None:
            raise CcmError(f"invalid loadbalancer class {quoted(class_name)}")
        return chosen.subnet_id
    subnet = annotations.text("subnet-id")
    if subnet or (cloud.nodes is not None and not cloud.nodes):
        return subnet
    return first_node_subnet(cloud, family, title, notes, behaviours, f"no subnet-id found for service {title}")


def first_node_subnet(
    cloud: CloudState, family: int, title: str, notes: Notes, behaviours: Behaviours, failed: str = ""
) -> str:
    """The subnet of the first node's address.

    Args:
        cloud: What is known around the Service.
        family: The IP family; 0 for any.
        title: The Service, for messages.
        notes: Takes the assumption.
        behaviours: The release's behaviours.
        failed: What a failure's message begins with; empty for that of a reconcile.

    Raises:
        CcmError: It cannot be found.
    """
    node = cloud.nodes[0] if cloud.nodes else None
    if node is not None:
        failed = failed or f"failed to get subnet to create load balancer for service {title}"
        if not behaviours["service-config"]:
            failed = (
                f"no subnet-id for service {title} : subnet-id not set in cloud provider config, and failed to find "
                "subnet-id from OpenStack"
            )
        if node.ports is not None:
            return _found(cloud, node, node.ports, family, failed, behaviours)
        _check(node, family, failed, behaviours)
    if cloud.node_subnet:
        return cloud.node_subnet
    how = " (this release: any server's port with its address)" if behaviours["takes-region-for-server"] else ""
    taken = f"the CCM takes the first node's subnet{how}"
    notes.assume(f"no subnet-id or network-id is set: {taken}; {NODE_SUBNET} is assumed")
    return NODE_SUBNET


def _check(node: Node, family: int, failed: str, behaviours: Behaviours) -> str:
    """What is looked at before the node's ports; the region in its provider ID."""
    if (node.addresses or node.ports is not None) and not address_of(node, family):
        raise CcmError(f"{failed}: {NO_ADDRESS}")
    if not behaviours["parses-provider-id"] or node.provider_id is None:
        return ""
    why = f"{failed}: can't determine instance ID from ProviderID when autodetecting LB subnet: "
    return provider_id(node.provider_id, why)[0]


def _found(
    cloud: CloudState, node: Node, ports: tuple[NodePort, ...], family: int, failed: str, behaviours: Behaviours
) -> str:
    region = _check(node, family, failed, behaviours)
    address = address_of(node, family)
    if behaviours["parses-provider-id"]:
        if behaviours["takes-region-for-server"]:
            # ports of the server with the region's name; of every server where there is no region
            ports = () if region else tuple(port for node in cloud.nodes or () for port in node.ports or ())
    elif not (node.provider_id or "").rpartition("/")[2]:
        ports = ()
    for port in ports:
        for address_of_port, subnet in port.addresses:
            if address_of_port == address:
                return subnet
    raise CcmError(f"{failed}: failed to find object")


def provider_id(text: str, failed: str = "") -> tuple[str, str]:
    """The region and the server of ``spec.providerID``.

    Args:
        text: ``openstack:///SERVER``, ``openstack://REGION/SERVER``, or the server alone.
        failed: What a failure's message begins with.

    Raises:
        CcmError: It is of another form.
    """
    if text and "://" not in text:
        text = f"openstack://{text}"
    match = _PROVIDER_ID.fullmatch(text)
    if match is None:
        raise CcmError(f'{failed}ProviderID "{text}" didn\'t match expected format "openstack://region/InstanceID"')
    return match[1], match[2]
