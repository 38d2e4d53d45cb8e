"""Generated files of other programs are silent in a folder; generated cloud.confs with mistakes are found."""

from __future__ import annotations

from random import Random

import pytest
from generated import PROGRAMS, cloud_confs, look_alikes

from ccmcheck.carriers import FindOptions, find
from ccmcheck.catalog.signs.scorer import recognise
from ccmcheck.catalog.signs.table import KnownBy

NOBODYS = tuple(("nobody's", PROGRAMS["nobody's"](Random(seed))) for seed in range(200))  # noqa: S311 - for texts
"""Of 200 programs, each with sections and keys of its own."""
LOOK_ALIKES = (*look_alikes(40 * len(PROGRAMS)), *NOBODYS)
CLOUD_CONFS = tuple(cloud_confs(1_000))


def _taken(path: str) -> list[tuple[str, str]]:
    return [(name, text) for name, text in LOOK_ALIKES if find(path, text).carried]


@pytest.mark.part(of=3)
@pytest.mark.parametrize("path", ["settings.ini", "hosts", "etc/config.conf", "x.toml", "x.cfg", "templates/x.conf.j2"])
def test_another_program_is_silent_in_a_folder(path: str) -> None:
    assert _taken(path) == []


@pytest.mark.part(of=2)
@pytest.mark.parametrize("path", ["cloud.conf", "my-cloud.conf", "etc/cloud-provider.conf", "cloud.conf.j2"])
def test_nor_does_a_name_make_it_a_cloud_conf(path: str) -> None:
    assert _taken(path) == []


def test_an_ansible_inventory_in_a_folder() -> None:
    text = "[loadbalancer]\nlb1 ansible_host=192.0.2.1\n[global]\nansible_user=root\n"
    assert find("hosts.ini", text).carried == []


@pytest.mark.parametrize(
    "text",
    [
        "[LoadBalancer]\nalgorithm = rr\n[Global]\ntimeout = 5\n",
        "[global]\nrouter-id = 192.0.2.1\n",
        "[Global]\ntenant-id = a\nclient-id = b\nsubscription-id = c\n",
        '[global]\nregion = "x"\nusername = "u"\n[loadbalancer]\nhosts = ["a"]\n',
        "[LoadBalancer]\n[Networking]\n",
    ],
)
def test_section_names_and_single_keys_make_no_cloud_conf(text: str) -> None:
    assert find("x.conf", text).carried == []


@pytest.mark.parametrize("path", ["openstack.conf", "templates/openstack-cloud-config.j2", "cloud-config", "x.ini"])
def test_a_cloud_conf_with_mistakes_is_found_in_a_folder(path: str) -> None:
    missed = [text for text in CLOUD_CONFS if len(find(path, text).carried) != 1]
    assert len(missed) <= len(CLOUD_CONFS) * 0.02, "\n---\n".join(missed)


@pytest.mark.parametrize("known_by", [KnownBy.FILE, KnownBy.OBJECT, KnownBy.USER])
def test_and_always_where_something_calls_it_one(known_by: KnownBy) -> None:
    assert [text for text in CLOUD_CONFS if not recognise(text, known_by).taken] == []


def test_what_the_user_names_is_judged_or_gets_its_reason() -> None:
    for _, text in LOOK_ALIKES:
        contents = find("x.conf", text, FindOptions(explicit=True))
        assert len(contents.carried) + len(contents.not_taken) == 1
