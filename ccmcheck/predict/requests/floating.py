"""Which floating IP an external Service gets: class over annotation over cloud.conf.

Source: cloud-provider-openstack checkService, ensureFloatingIP (before 1.27 getServiceAddress), since 1.19.
"""

from __future__ import annotations

from ccmcheck.predict.inputs.annotations import CcmError
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import BalancerClass
from ccmcheck.predict.records import EXTERNAL_NETWORK, Floating
from ccmcheck.predict.requests.spec_inputs import SpecInputs

_NETWORK = "loadbalancer.openstack.org/floating-network-id"


def choose(inputs: SpecInputs, chosen: BalancerClass | None, class_name: str) -> Floating:
    """Choose the network and the subnet.

    Args:
        inputs: The Service and what is known around it.
        chosen: Its class; None without one.
        class_name: The class's name.

    Raises:
        CcmError: The subnet is not there, or not in the network.
    """
    cloud, behaviours = inputs.cloud, inputs.behaviours
    network, source = _network(inputs, chosen, class_name)
    subnet, name, tags = _subnet(inputs, chosen, class_name)
    if name and not behaviours["floating-subnet-patterns"]:
        found = named(cloud, name)
        if found is not None:
            subnet, name = (found[0], "") if len(found) == 1 else ("", "")
    if network and subnet and cloud.networks:
        belongs = cloud.networks.get(subnet, "")
        if not belongs:
            raise CcmError(f'failed to find subnet "{subnet}": Resource not found')
        if belongs != network:
            shown = belongs if behaviours["floating-subnet-patterns"] else subnet
            raise CcmError(f'floating IP subnet "{subnet}" doesn\'t belong to the network "{shown}"')
    if not network:
        why = "no floating network is set, and the CCM finds no external one"
        return Floating(False, "", subnet, name, tags, why=why)
    return Floating(True, network, subnet, name, tags, source=source)


def named(cloud: CloudState, name: str) -> tuple[str, ...] | None:
    """The subnets of a name, as the releases up to 1.20 look for them.

    Returns:
        Their IDs; None where too little is known. Where only the floating network's subnets are known, those.
    """
    if cloud.named_subnets is not None:
        return cloud.named_subnets.get(name, ())
    if cloud.floating_subnets is not None:
        return tuple(subnet.id for subnet in cloud.floating_subnets if subnet.name == name)
    return None


def _network(inputs: SpecInputs, chosen: BalancerClass | None, class_name: str) -> tuple[str, str]:
    options, service, annotations, cloud, notes = inputs
    if chosen is not None and chosen.floating_network_id:
        if annotations.has("floating-network-id"):
            notes.ignore(_NETWORK, f'class "{class_name}" sets floating-network-id, which wins')
        return chosen.floating_network_id, f'class "{class_name}"'
    network = annotations.text("floating-network-id", options.floating_network_id)
    if network:
        return network, "the annotation" if annotations.has("floating-network-id") else "cloud.conf"
    found = cloud.external_network
    if found is None:
        if inputs.behaviours["network-of-config-last"] and options.floating_network_id:
            return options.floating_network_id, "cloud.conf"
        if inputs.behaviours["writes-events"]:
            notes.warn(
                "LoadBalancerExternalNetworkSearchFailed",
                f"Failed to find floating-network-id for Service {service.title}: failed to find object",
            )
        return "", ""
    if not found:
        notes.assume(
            "no floating-network-id is set: the CCM takes the first external network that has an IPv4 subnet; "
            f"{EXTERNAL_NETWORK} is assumed"
        )
        found = EXTERNAL_NETWORK
    return found, "the first external network in the listing"


def _subnet(inputs: SpecInputs, chosen: BalancerClass | None, class_name: str) -> tuple[str, str, str]:
    """The subnet's ID, else its name's pattern and its tags."""
    options, _, annotations, _, notes = inputs
    if not inputs.behaviours["floating-subnet-patterns"]:
        if chosen is not None and chosen.floating_subnet_id:
            return chosen.floating_subnet_id, "", ""
        subnet = annotations.text("floating-subnet-id", options.floating_subnet_id)
        return subnet, "" if subnet else annotations.text("floating-subnet"), ""
    if chosen is not None:
        found = _either(chosen.floating_subnet_id, chosen.floating_subnet, chosen.floating_subnet_tags)
        if any(found):
            names = ("floating-subnet-id", "floating-subnet", "floating-subnet-tags")
            for name in filter(annotations.has, names):
                notes.ignore(
                    f"loadbalancer.openstack.org/{name}", f'class "{class_name}" sets a floating subnet, which wins'
                )
            return found
    found = _either(
        annotations.text("floating-subnet-id"),
        annotations.text("floating-subnet"),
        annotations.text("floating-subnet-tags"),
    )
    if any(found):
        return found
    return _either(options.floating_subnet_id, options.floating_subnet, options.floating_subnet_tags)


def _either(subnet: str, name: str, tags: str) -> tuple[str, str, str]:
    return (subnet, "", "") if subnet else ("", name, tags)
