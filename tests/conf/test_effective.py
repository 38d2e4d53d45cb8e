"""The effective configuration: each key's value, and where it comes from."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.conf.effective import Setting, effective
from ccmcheck.conf.reading import read
from ccmcheck.gcfg import parse


def settings(text: str, release: str = "master", consumer: str = "ccm") -> dict[tuple[str, str | None, str], Setting]:
    document = parse(text)
    schema = catalog.schema(release, consumer)
    found = effective(document, read(document, schema), schema)
    assert len({setting[:3] for setting in found}) == len(found)
    return {(setting.section, setting.subsection, setting.key): setting for setting in found}


def test_without_a_file_all_is_default() -> None:
    found = settings("")
    assert {setting.origin for setting in found.values()} == {"default"}
    delay = found["LoadBalancer", None, "monitor-delay"]
    assert (delay.value, delay.default, delay.entry) == (5_000_000_000, 5_000_000_000, None)
    assert ("LoadBalancer", None, "lbclasses") not in found
    assert not any(section == "LoadBalancerClass" for section, _, _ in found)
    assert ("LoadBalancer", None, "use-octavia") not in found
    assert settings("", "1.25")["LoadBalancer", None, "use-octavia"].value is True


def test_the_last_entry_decides() -> None:
    found = settings("[LoadBalancer]\nmax-shared-lb = 3\n[Global]\n[loadbalancer]\nMax-Shared-LB = 4\n")
    setting = found["LoadBalancer", None, "max-shared-lb"]
    assert (setting.value, setting.default, setting.origin) == (4, 2, "file")
    assert setting.entry is not None
    assert setting.entry.key == "Max-Shared-LB"
    assert setting.spec.name == "max-shared-lb"


def test_an_explicit_default_comes_from_the_file() -> None:
    setting = settings("[LoadBalancer]\ncreate-monitor = false\n")["LoadBalancer", None, "create-monitor"]
    assert (setting.value, setting.origin) == (False, "file")


def test_an_empty_value_may_mean_the_default() -> None:
    text = "[Metadata]\nsearch-order =\nrequest-timeout = 0\n[LoadBalancer]\nlb-method =\n"
    found = settings(text)
    order = found["Metadata", None, "search-order"]
    assert (order.value, order.origin) == ("configDrive,metadataService", "default")
    assert order.entry is not None
    assert found["Metadata", None, "request-timeout"].value == 60_000_000_000
    method = found["LoadBalancer", None, "lb-method"]
    assert (method.value, method.origin) == ("", "file")
    assert settings(text, "1.16")["Metadata", None, "search-order"].value == ""


def test_an_entry_that_cannot_be_read_is_not_there() -> None:
    text = "[LoadBalancer]\nmonitor-delay = 7s\nmonitor-delay = 3\n[LoadBalancer]\nmonitor-timeout = x\n"
    found = settings(text)
    assert found["LoadBalancer", None, "monitor-delay"].value == 7_000_000_000
    assert found["LoadBalancer", None, "monitor-timeout"].value == 3_000_000_000


def test_lists_hold_all_their_elements() -> None:
    found = settings("[Networking]\npublic-network-name = a\n[Networking]\npublic-network-name = b\n")
    assert found["Networking", None, "public-network-name"].value == ["a", "b"]


def test_each_subsection_of_the_file() -> None:
    found = settings('[LoadBalancerClass "b"]\n[LoadBalancerClass]\nsubnet-id = s\n[Global "x"]\nregion = r\n')
    assert {subsection for section, subsection, _ in found if section == "LoadBalancerClass"} == {"b", ""}
    assert found["LoadBalancerClass", "", "subnet-id"].value == "s"
    assert found["LoadBalancerClass", "b", "subnet-id"].origin == "default"
    assert found["Global", None, "region"].value == ""
    shared = settings('[Global "x"]\nregion = r\n', consumer="cinder-csi-plugin")
    assert shared["Global", "x", "region"].value == "r"
