"""Behaviour that comes or goes on the way is reported only where it applies to a configuration or a Service."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.base.model import Severity
from ccmcheck.catalog.behaviour import behaviour_changes
from ccmcheck.catalog.data.behaviour import BEHAVIOURS, WITHOUT
from ccmcheck.catalog.data.upgrades import CONCERNS, KEYS, PINS, SAME_EFFECT
from ccmcheck.catalog.service_annotations import INTERNAL, PREFIX
from ccmcheck.catalog.upgrade_path import upgrade_path
from ccmcheck.predict.inputs.nodes import EXCLUDED
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.predict.inputs.service_conditions import MetCase
from ccmcheck.review.upgrade.behaviour_changes import BehaviourEffect, behaviour_effects
from ccmcheck.review.upgrade.conditions import applies_to, shared_balancers

GROUPS = "manage-security-groups = true\n"
MONITOR = "create-monitor = true\n"
OVN = "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
ALL = {one.behaviour for one in behaviour_changes() if one.concerns in (("always",), ("every CCM",))}
BUGS = {one.behaviour for one in behaviour_changes() if one.ends.startswith("mended: ")}
"""Tested together in ``tests/rules/test_release_bugs.py``."""
EVERYBODY = (ALL | BUGS) - {"waits-longer-for-deletion"}
TIMEOUTS = ("sends-timeouts", "begins", "v1.19.0")
MASTERS = ("leaves-masters-out", "ends", "v1.21.0")
KEEPS_RULES = ("managed-groups-keep-rules", "begins", "v1.24.0")
DELETION = ("deletion-needs-balancer", "between", "v1.23.0 to v1.23.1, v1.24.0 to v1.24.1")
METHOD = ("updates-pool-method", "begins", "v1.32.0")
LOCAL = Service("web", policy="Local", ports=(ServicePort(80), ServicePort(443)))
CLUSTER = Service("web", ports=(ServicePort(80),))


INNER = '[LoadBalancerClass "inner"]\nsubnet-id = s\n'
OUTER = '[LoadBalancerClass "outer"]\nfloating-network-id = f\n'


def effects_of(
    conf: str, old: str, new: str, *services: Service, nodes: int | None = None
) -> dict[str, BehaviourEffect]:
    text = f"[Global]\nauth-url = https://k\n[LoadBalancer]\nsubnet-id = x\nfloating-network-id = y\n{conf}"
    on_the_way = upgrade_path(catalog.release(old), catalog.release(new))
    before, after = read_options(text, on_the_way[0]), read_options(text, on_the_way[-1])
    case = MetCase(before, after, nodes=nodes, shared=shared_balancers(services))
    found = behaviour_effects(on_the_way, case, {service.title: service for service in services})
    return {one.behaviour: one for one in found if one.behaviour not in EVERYBODY}


def brief(found: dict[str, BehaviourEffect]) -> set[tuple[str, str, str]]:
    return {(one.behaviour, one.edge, one.since) for one in found.values()}


@pytest.mark.parametrize(
    ("conf", "old", "new", "expected"),
    [
        (GROUPS, "1.18", "1.19", {("managed-groups-do-nothing", "begins", "v1.19.0"), TIMEOUTS}),
        (GROUPS, "1.18", "1.22", {("managed-groups-do-nothing", "begins", "v1.19.0"), TIMEOUTS, MASTERS}),
        (GROUPS, "1.22", "1.24", {("managed-groups-do-nothing", "ends", "v1.24.0"), DELETION, KEEPS_RULES}),
        (GROUPS, "v1.23.4", "v1.24.0", {
            KEEPS_RULES,
            ("managed-groups-do-nothing", "ends", "v1.24.0"),
            ("deletion-needs-balancer", "begins", "v1.24.0"),
        }),
        (GROUPS, "1.18", "1.24", {
            KEEPS_RULES,
            ("managed-groups-do-nothing", "between", "v1.19.0 to v1.23.4"), DELETION, TIMEOUTS, MASTERS,
        }),
        (GROUPS + "use-octavia = false\n", "1.18", "1.22", {MASTERS}),
        (GROUPS + OVN, "1.27", "1.35", {
            ("managed-groups-shut-ovn-clients-out", "ends", "v1.28.0"),
            ("managed-groups-emptied-by-node-changes", "between", "v1.28.0 to v1.30.1, v1.31.0 to v1.31.1"),
            ("source-ranges-in-ovn-groups", "begins", "v1.28.0"),
            ("removes-foreign-rules", "begins", "v1.28.0"),
            ("groups-on-member-ports", "begins", "v1.28.2"),
            ("updates-pool-method", "begins", "v1.32.0"),
        }),
        (GROUPS + OVN, "1.28", "1.29", set()),
        (GROUPS + OVN, "v1.28.3", "v1.30.2", {("managed-groups-emptied-by-node-changes", "ends", "v1.30.2")}),
        (GROUPS + OVN, "v1.30.3", "v1.31.1", {("managed-groups-emptied-by-node-changes", "begins", "v1.31.0")}),
        (GROUPS + MONITOR, "1.25", "1.26", {
            ("managed-groups-without-check-port", "ends", "v1.26.0"),
            ("managed-groups-skip-new-nodes", "ends", "v1.26.0"),
        }),
        ("manage-security-groups = false\n" + MONITOR, "1.27", "1.28", {("groups-deleted-when-off", "begins", "v1.28.0")}),
        ("create-monitor = false\n", "1.26", "1.27", {("keeps-unready-nodes", "begins", "v1.27.0")}),
        ("", "1.26", "1.35", {("keeps-unready-nodes", "begins", "v1.27.0"), METHOD}),
        (OVN, "1.31", "1.32", {METHOD}),
        ("lb-provider = ovn\n", "1.31", "1.32", set()),
        ("", "1.35", "1.36", {("waits-longer-for-deletion", "begins", "v1.36.0")}),
        ("", "1.24", "1.26", {("local-keeps-unready-nodes", "begins", "v1.25.0")}),
        ("", "v1.24.0", "v1.25.2", {
            ("local-keeps-unready-nodes", "begins", "v1.25.0"),
            ("deletion-needs-balancer", "ends", "v1.24.2"),
        }),
        ("", "v1.25.2", "v1.25.3", {("local-keeps-unready-nodes", "ends", "v1.25.3")}),
        (MONITOR, "1.26", "1.35", {METHOD}),
        ("enabled = false\n", "1.26", "1.36", {("disabled-answers", "ends", "v1.27.0")}),
        (MONITOR, "1.24", "1.25", {("monitor-has-path", "begins", "v1.25.0")}),
        (MONITOR + OVN, "1.25", "1.26", {("local-monitor-is-http-on-ovn", "ends", "v1.26.0")}),
        (MONITOR, "1.22", "v1.23.0", {
            ("supports-local", "begins", "v1.23.0"),
            ("monitor-port-lost", "begins", "v1.23.0"),
            ("deletion-needs-balancer", "begins", "v1.23.0"),
        }),
        (MONITOR, "1.23", "1.24", {
            ("updates-monitors", "begins", "v1.24.0"),
            ("deletion-needs-balancer", "between", "v1.24.0 to v1.24.1"),
        }),
        (MONITOR + "provider-requires-serial-api-calls = true\n", "1.27", "1.28", {
            ("serial-members-have-no-monitor-port", "begins", "v1.28.0"),
        }),
        ("use-octavia = false\n" + MONITOR, "1.25", "1.26", {("neutron-lbaas", "ends", "v1.26.0")}),
        ("lb-method = LEAST_CONNECTIONS\n" + MONITOR, "1.31", "1.32", {("updates-pool-method", "begins", "v1.32.0")}),
        ("enable-ingress-hostname = true\n" + MONITOR, "1.29", "1.30", {("sets-ip-mode", "begins", "v1.30.0")}),
        ("internal-lb = true\n" + MONITOR, "1.18", "1.19", {TIMEOUTS}),
        ("internal-lb = true\n" + MONITOR, "1.26", "1.27", {("takes-floating-ip-of-internal", "begins", "v1.27.0")}),
        ("subnet-id =\n" + MONITOR, "v1.24.6", "v1.25.0", {
            ("keeps-first-subnet", "ends", "v1.25.0"),
            ("monitor-has-path", "begins", "v1.25.0"),
        }),
        ("floating-network-id =\n" + MONITOR, "v1.25.3", "v1.25.4", {("floating-network-has-ipv4", "begins", "v1.25.4")}),
        (GROUPS + MONITOR, "v1.28.1", "v1.28.2", {("groups-on-member-ports", "begins", "v1.28.2")}),
    ],
)  # fmt: skip
def test_by_configuration(conf: str, old: str, new: str, expected: set[tuple[str, str, str]]) -> None:
    assert brief(effects_of(conf, old, new)) == expected


def test_what_a_way_passes_is_only_a_hint() -> None:
    assert effects_of(GROUPS, "1.18", "1.24")["managed-groups-do-nothing"].severity is Severity.INFO
    assert effects_of(GROUPS, "1.18", "1.22")["managed-groups-do-nothing"].severity is Severity.ERROR


def test_only_the_services_that_are_concerned() -> None:
    assert "monitor-has-path" not in effects_of(MONITOR, "1.24", "1.25", CLUSTER)
    found = effects_of(MONITOR, "1.24", "1.25", CLUSTER._replace(name="other"), LOCAL)
    assert found["monitor-has-path"].services == ("default/web",)


def test_the_annotation_counts_as_well_as_the_configuration() -> None:
    on = {"loadbalancer.openstack.org/enable-health-monitor": "true"}
    assert "keeps-unready-nodes" in effects_of("", "1.26", "1.27", CLUSTER)
    assert "keeps-unready-nodes" not in effects_of("", "1.26", "1.27", CLUSTER._replace(annotations=on))


def test_local_services_keep_unready_nodes_a_release_earlier() -> None:
    assert "keeps-unready-nodes" not in effects_of("", "1.26", "1.27", LOCAL)
    assert effects_of("", "1.24", "1.27", LOCAL)["local-keeps-unready-nodes"].services == ("default/web",)
    assert "local-keeps-unready-nodes" not in effects_of("", "1.24", "1.27", CLUSTER)


@pytest.mark.parametrize(
    ("conf", "annotations", "old", "new", "expected"),
    [
        ("internal-lb = true\n", {"service.beta.kubernetes.io/openstack-internal-load-balancer": "false"}, "1.18", "1.19",
         "internal-is-enforced"),
        ("", {"loadbalancer.openstack.org/proxy-protocol": "true"}, "1.29", "1.30", "sets-ip-mode"),
        ("internal-lb = true\n", {"loadbalancer.openstack.org/load-balancer-id": "u"}, "1.26", "1.27",
         "internal-services-cannot-share"),
        ("", {"loadbalancer.openstack.org/load-balancer-id": "u"}, "1.26", "1.27", "only-owner-has-floating-ip"),
        ("", {INTERNAL: "true"}, "1.26", "1.27", "takes-floating-ip-of-internal"),
        (INNER, {"loadbalancer.openstack.org/class": "inner"}, "1.18", "1.19", "classes-make-internal"),
        (OUTER, {"loadbalancer.openstack.org/class": "outer", INTERNAL: "true"}, "1.18", "1.19", "classes-make-internal"),
        (INNER, {"loadbalancer.openstack.org/class": "inner", INTERNAL: "true"}, "1.24", "1.25",
         "classes-of-internal-services"),
        ("floating-subnet-id = z\n", {"loadbalancer.openstack.org/floating-subnet": "ext"}, "1.18", "1.19",
         "floating-subnet-id-first"),
        ("", {"loadbalancer.openstack.org/floating-subnet": "ext"}, "1.20", "1.21", "floating-subnet-patterns"),
        ("", {"loadbalancer.openstack.org/x-forwarded-for": "true"}, "1.21", "1.22", "recreates-pools"),
    ],
)  # fmt: skip
def test_by_annotation(conf: str, annotations: dict[str, str], old: str, new: str, expected: str) -> None:
    assert expected in effects_of(conf, old, new, CLUSTER._replace(annotations=annotations))
    assert expected not in effects_of(conf, old, new, CLUSTER)


@pytest.mark.parametrize(
    ("conf", "address", "annotations", "old", "new", "behaviour"),
    [
        # a class with a floating network never made its Services internal
        (OUTER, "", {f"{PREFIX}class": "outer"}, "1.18", "1.19", "classes-make-internal"),
        # internal before by the class, and after by the annotation
        (INNER, "", {f"{PREFIX}class": "inner", INTERNAL: "true"}, "1.18", "1.19", "classes-make-internal"),
        (OUTER, "", {f"{PREFIX}class": "another", INTERNAL: "true"}, "1.18", "1.19", "classes-make-internal"),
        ("", "", {f"{PREFIX}floating-subnet": "ext"}, "1.18", "1.19", "floating-subnet-id-first"),
        # v2 asks for nothing before 1.31
        ("", "", {f"{PREFIX}proxy-protocol": "v2"}, "1.29", "1.30", "sets-ip-mode"),
        ("", "203.0.113.5", {INTERNAL: "true"}, "1.17", "1.18", "deletes-any-floating-ip"),
    ],
)
def test_whom_it_does_not_concern(
    conf: str, address: str, annotations: dict[str, str], old: str, new: str, behaviour: str
) -> None:
    assert behaviour not in effects_of(conf, old, new, CLUSTER._replace(address=address, annotations=annotations))


def test_a_floating_ip_of_the_users_own() -> None:
    assert "deletes-any-floating-ip" in effects_of("", "1.17", "1.18", CLUSTER._replace(address="203.0.113.5"))


def test_the_id_on_a_live_service_is_the_ccms_own() -> None:
    """It shares its load balancer only where another Service has the same ID."""
    one = CLUSTER._replace(uid="u1", annotations={INTERNAL: "true", f"{PREFIX}load-balancer-id": "b1"})
    two = one._replace(name="two", uid="u2")
    assert "internal-services-cannot-share" not in effects_of("", "1.26", "1.27", one)
    assert effects_of("", "1.26", "1.27", one, two)["internal-services-cannot-share"].services == (
        "default/web",
        "default/two",
    )


@pytest.mark.parametrize(
    ("labels", "old", "new", "behaviour", "is_said"),
    [
        ((), "1.20", "1.21", "leaves-masters-out", False),
        (({"node-role.kubernetes.io/master": ""},), "1.20", "1.21", "leaves-masters-out", True),
        (None, "1.20", "1.21", "leaves-masters-out", True),
        (({EXCLUDED: "false"},), "1.33", "1.34", "exclude-label-has-value", True),
        (({EXCLUDED: "true"},), "1.33", "1.34", "exclude-label-has-value", False),
        (({EXCLUDED: ""},), "1.33", "1.34", "exclude-label-has-value", False),
        (None, "1.33", "1.34", "exclude-label-has-value", False),
    ],
)
def test_by_the_labels_of_nodes(
    labels: tuple[dict[str, str], ...] | None, old: str, new: str, behaviour: str, is_said: bool
) -> None:
    case = MetCase(read_options("", old), read_options("", new), node_labels=labels)
    found = behaviour_effects(upgrade_path(catalog.release(old), catalog.release(new)), case, {})
    assert any(one.behaviour == behaviour for one in found) is is_said


@pytest.mark.parametrize(
    ("values", "old", "new", "behaviour", "is_said"),
    [
        ({("Global", "tlsinsecure"): "true"}, "1.17", "1.18", "insecure-needs-ca-file", True),
        (
            {("Global", "tlsinsecure"): "true", ("Global", "ca-file"): "/ca"},
            "1.17",
            "1.18",
            "insecure-needs-ca-file",
            False,
        ),
        ({("Global", "tlsinsecure"): "yes"}, "1.17", "1.18", "insecure-needs-ca-file", False),
        ({("Route", "router-id"): "r"}, "v1.25.4", "v1.25.5", "atomic-routes", True),
        ({("Route", "router-id"): "r"}, "v1.26.1", "v1.26.2", "atomic-routes", True),
        ({("Route", "router-id"): ""}, "v1.25.4", "v1.25.5", "atomic-routes", False),
        ({("Route", "router-id"): "r"}, "1.28", "1.29", "routes-without-address-pairs", True),
    ],
)
def test_by_other_sections(
    values: dict[tuple[str, str], object], old: str, new: str, behaviour: str, is_said: bool
) -> None:
    case = MetCase(read_options("", old), read_options("", new), values=values)
    found = behaviour_effects(upgrade_path(catalog.release(old), catalog.release(new)), case, {})
    assert any(one.behaviour == behaviour for one in found) is is_said


def test_without_load_balancers_nodes_still_count() -> None:
    conf = "enabled = false\n"
    on_the_way = upgrade_path(catalog.release("1.26"), catalog.release("1.28"))
    case = MetCase(read_options(f"[LoadBalancer]\n{conf}", "1.26"), read_options(f"[LoadBalancer]\n{conf}", "1.28"))
    found = {one.behaviour for one in behaviour_effects(on_the_way, case, {})}
    bugs = {"disabled-asks-octavia", "asks-nova-for-interfaces"}
    of_all = {"instances-v2", "lists-trunk-subports", "takes-two-node-ips"}
    assert found == {"disabled-answers", *of_all, *bugs}


def test_the_worst_first_and_then_by_release() -> None:
    on_the_way = upgrade_path(catalog.release("1.22"), catalog.release("1.36"))
    case = MetCase(read_options(GROUPS + MONITOR, "1.22"), read_options(GROUPS + MONITOR, "1.36"))
    order = {one.name: at for at, one in enumerate(on_the_way)}
    found = behaviour_effects(on_the_way, case, {})
    assert len({one.severity for one in found}) > 1
    for severity in {one.severity for one in found}:
        for is_between in (False, True):
            group = [one for one in found if one.severity is severity and (one.edge == "between") is is_between]
            places = [order[one.since.partition(" ")[0].rstrip(",")] for one in group]
            assert places == sorted(places)
    severities = [one.severity for one in found]
    assert severities == sorted(severities, reverse=True)


HISTORY = [
    ("v1.17.0", "v1.18.2", {"lists-port-addresses-first": "v1.18.0"}),
    ("v1.18.2", "v1.19.5", {"knows-exclude-label": "v1.19.0", "cordoned-nodes-leave": "v1.19.0"}),
    ("v1.19.5", "v1.20.5", {"short-metric-names": "v1.20.0", "labels-flavor-names": "v1.20.0"}),
    ("v1.20.5", "v1.21.1", {
        "waits-for-deletion": "v1.21.0", "asks-for-tokens": "v1.21.0", "needs-provider-flag": "v1.21.0",
    }),
    ("v1.21.1", "v1.22.2", {}),
    ("v1.22.2", "v1.23.4", {
        "deletes-active-only": "v1.23.0", "writes-id": "v1.23.0", "leaves-autoscaled-nodes-out": "v1.23.0",
        "patches-services": "v1.23.0",
    }),
    ("v1.23.4", "v1.24.6", {"node-ip-decides": "v1.24.0"}),
    ("v1.24.6", "v1.25.6", {"writes-address": "v1.25.4", "regional-ids": "v1.25.0", "images-of-docker-hub": "v1.25.6"}),
    ("v1.25.6", "v1.26.4", {"deletes-active-only": "v1.26.0"}),
    ("v1.26.4", "v1.27.3", {"instances-v2": "v1.27.0", "takes-two-node-ips": "v1.27.0"}),
    ("v1.27.3", "v1.28.3", {
        "waits-longer-for-active": "v1.28.0", "lists-trunk-subports": "v1.28.0", "deletes-failed": "v1.28.2",
        "writes-events": "v1.28.2",
    }),
    ("v1.28.3", "v1.29.1", {"renames-load-balancers": "v1.29.1"}),
    ("v1.29.1", "v1.30.3", {}),
    ("v1.30.3", "v1.31.4", {}),
    ("v1.31.4", "v1.32.1", {"ends-without-endpoint": "v1.32.0", "changes-are-events": "v1.32.0"}),
    ("v1.32.1", "v1.33.1", {}),
    ("v1.33.1", "v1.34.1", {}),
    ("v1.34.1", "v1.35.0", {}),
    ("v1.35.0", "v1.36.0", {"waits-longer-for-deletion": "v1.36.0"}),
]  # fmt: skip
"""What every cluster notices of each minor release, by the newest patches, with the first tag: read in the CCM's history."""


@pytest.mark.parametrize(("old", "new", "expected"), HISTORY)
def test_what_concerns_everybody(old: str, new: str, expected: dict[str, str]) -> None:
    on_the_way = upgrade_path(catalog.release(old), catalog.release(new))
    found = behaviour_effects(on_the_way, MetCase(read_options("", old), read_options("", new)), {})
    assert {one.behaviour: one.since for one in found if one.behaviour in ALL - BUGS} == expected


def test_many_members() -> None:
    assert "creates-in-one-call" in effects_of("", "1.20", "1.21", LOCAL, nodes=500)
    assert "creates-in-one-call" not in effects_of("", "1.20", "1.21", LOCAL, nodes=50)
    assert "creates-in-one-call" not in effects_of("", "1.20", "1.21", LOCAL)


def test_unknown_values_stay_quiet() -> None:
    options = read_options("[LoadBalancer]\nmanage-security-groups = true\n", "1.24")
    case = MetCase(
        options._replace(open=("manage-security-groups",)), options._replace(open=("manage-security-groups",))
    )
    assert applies_to(("key manage-security-groups",), case, {}) == (False, ())
    assert applies_to(("always",), case, {}) == (True, ())


def test_the_data_fits_together() -> None:
    case = MetCase(read_options("", "1.25"), read_options("", "1.36"))
    for turn in behaviour_changes():
        assert turn.behaviour.removeprefix(WITHOUT) in BEHAVIOURS
        assert turn.begins or turn.ends
        applies_to(turn.concerns, case, {})  # raises at a condition that does not exist
        applies_to(turn.concerns, case, {"a": LOCAL})
    for names in CONCERNS.values():
        applies_to(names, case, {})
    for kind, section, key in KEYS:
        assert kind in ("vanishes", "comes to life", "default", "value")
        assert not key or key in catalog.all_keys(section)
    for section, key in (*PINS, *SAME_EFFECT, *CONCERNS):
        assert key in catalog.all_keys(section)


def test_a_condition_that_does_not_exist() -> None:
    case = MetCase(read_options("", "1.25"), read_options("", "1.36"))
    with pytest.raises(KeyError, match="no such thing"):
        applies_to(("no such thing",), case, {})
