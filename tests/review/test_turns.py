"""Behaviour that comes or goes on the way is reported only where it applies to a configuration or a Service."""

from __future__ import annotations

import pytest

from ccmcheck import catalog
from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.behaviour import STRETCHES
from ccmcheck.catalog.data.upgrades import CONCERNS, KEYS, PINS, SAME_EFFECT
from ccmcheck.catalog.upgrade_path import upgrade_path
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.review.upgrade.behaviour_changes import BEHAVIOUR_CHANGES, BehaviourEffect, behaviour_effects
from ccmcheck.review.upgrade.conditions import Case, applies_to

GROUPS = "manage-security-groups = true\n"
MONITOR = "create-monitor = true\n"
OVN = "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
EVERYBODY = {one.behaviour for one in BEHAVIOUR_CHANGES if one.concerns == ("always",)} - {"waits-longer-for-deletion"}
LOCAL = Service("web", policy="Local", ports=(ServicePort(80), ServicePort(443)))
CLUSTER = Service("web", ports=(ServicePort(80),))


def effects_of(
    conf: str, old: str, new: str, *services: Service, nodes: int | None = None
) -> dict[str, BehaviourEffect]:
    text = f"[Global]\nauth-url = https://k\n[LoadBalancer]\nsubnet-id = x\nfloating-network-id = y\n{conf}"
    on_the_way = upgrade_path(catalog.release(old), catalog.release(new))
    case = Case(read_options(text, on_the_way[0]), read_options(text, on_the_way[-1]), nodes=nodes)
    found = behaviour_effects(on_the_way, case, {service.title: service for service in services})
    return {one.behaviour: one for one in found if one.behaviour not in EVERYBODY}


def brief(found: dict[str, BehaviourEffect]) -> set[tuple[str, str, str]]:
    return {(one.behaviour, one.edge, one.since) for one in found.values()}


@pytest.mark.parametrize(
    ("conf", "old", "new", "expected"),
    [
        (GROUPS, "1.18", "1.19", {("managed-groups-do-nothing", "begins", "v1.19.0")}),
        (GROUPS, "1.18", "1.22", {("managed-groups-do-nothing", "begins", "v1.19.0")}),
        (GROUPS, "1.22", "1.24", {("managed-groups-do-nothing", "ends", "v1.24.0")}),
        (GROUPS, "v1.23.4", "v1.24.0", {("managed-groups-do-nothing", "ends", "v1.24.0")}),
        (GROUPS, "1.18", "1.24", {("managed-groups-do-nothing", "between", "v1.19.0 to v1.23.4")}),
        (GROUPS + "use-octavia = false\n", "1.18", "1.22", set()),
        (GROUPS + OVN, "1.27", "1.35", {
            ("managed-groups-shut-ovn-clients-out", "ends", "v1.28.0"),
            ("managed-groups-emptied-by-node-changes", "between", "v1.28.0 to v1.30.1, v1.31.0 to v1.31.1"),
            ("source-ranges-in-ovn-groups", "begins", "v1.28.0"),
            ("updates-pool-method", "begins", "v1.32.0"),
        }),
        (GROUPS + OVN, "1.28", "1.29", set()),
        (GROUPS + OVN, "v1.28.3", "v1.30.2", {("managed-groups-emptied-by-node-changes", "ends", "v1.30.2")}),
        (GROUPS + OVN, "v1.30.3", "v1.31.1", {("managed-groups-emptied-by-node-changes", "begins", "v1.31.0")}),
        (GROUPS + MONITOR, "1.25", "1.26", {("managed-groups-without-check-port", "ends", "v1.26.0")}),
        ("manage-security-groups = false\n" + MONITOR, "1.27", "1.28", {("groups-deleted-when-off", "begins", "v1.28.0")}),
        ("create-monitor = false\n", "1.26", "1.27", {("keeps-unready-nodes", "begins", "v1.27.0")}),
        ("", "1.26", "1.35", {("keeps-unready-nodes", "begins", "v1.27.0")}),
        ("", "1.35", "1.36", {("waits-longer-for-deletion", "begins", "v1.36.0")}),
        ("", "1.24", "1.26", {("local-keeps-unready-nodes", "begins", "v1.25.0")}),
        ("", "v1.24.0", "v1.25.2", {("local-keeps-unready-nodes", "begins", "v1.25.0")}),
        ("", "v1.25.2", "v1.25.3", {("local-keeps-unready-nodes", "ends", "v1.25.3")}),
        (MONITOR, "1.26", "1.35", set()),
        ("enabled = false\n", "1.26", "1.36", {("disabled-answers", "ends", "v1.27.0")}),
        (MONITOR, "1.24", "1.25", {("monitor-has-path", "begins", "v1.25.0")}),
        (MONITOR + OVN, "1.25", "1.26", {("local-monitor-is-http-on-ovn", "ends", "v1.26.0")}),
        (MONITOR, "1.22", "v1.23.0", {
            ("supports-local", "begins", "v1.23.0"),
            ("monitor-port-lost", "begins", "v1.23.0"),
        }),
        (MONITOR, "1.23", "1.24", {("updates-monitors", "begins", "v1.24.0")}),
        (MONITOR + "provider-requires-serial-api-calls = true\n", "1.27", "1.28", {
            ("serial-members-have-no-monitor-port", "begins", "v1.28.0"),
        }),
        ("use-octavia = false\n" + MONITOR, "1.25", "1.26", {("neutron-lbaas", "ends", "v1.26.0")}),
        ("lb-method = LEAST_CONNECTIONS\n" + MONITOR, "1.31", "1.32", {("updates-pool-method", "begins", "v1.32.0")}),
        ("enable-ingress-hostname = true\n" + MONITOR, "1.29", "1.30", {("sets-ip-mode", "begins", "v1.30.0")}),
        ("internal-lb = true\n" + MONITOR, "1.18", "1.19", set()),
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
    ],
)  # fmt: skip
def test_by_annotation(conf: str, annotations: dict[str, str], old: str, new: str, expected: str) -> None:
    assert expected in effects_of(conf, old, new, CLUSTER._replace(annotations=annotations))
    assert expected not in effects_of(conf, old, new, CLUSTER)


def test_many_members() -> None:
    assert "creates-in-one-call" in effects_of("", "1.20", "1.21", LOCAL, nodes=500)
    assert "creates-in-one-call" not in effects_of("", "1.20", "1.21", LOCAL, nodes=50)
    assert "creates-in-one-call" not in effects_of("", "1.20", "1.21", LOCAL)


def test_unknown_values_stay_quiet() -> None:
    options = read_options("[LoadBalancer]\nmanage-security-groups = true\n", "1.24")
    case = Case(options._replace(open=("manage-security-groups",)), options._replace(open=("manage-security-groups",)))
    assert applies_to(("groups",), case, {}) == (False, ())
    assert applies_to(("always",), case, {}) == (True, ())


def test_the_data_fits_together() -> None:
    case = Case(read_options("", "1.25"), read_options("", "1.36"))
    for turn in BEHAVIOUR_CHANGES:
        assert turn.behaviour in STRETCHES
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
    case = Case(read_options("", "1.25"), read_options("", "1.36"))
    with pytest.raises(KeyError, match="no such thing"):
        applies_to(("no such thing",), case, {})
