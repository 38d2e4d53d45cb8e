"""Services whose aliases multiply: read within the size of their text, what is beyond is unknown."""

from __future__ import annotations

import time

import pytest

from ccmcheck import carriers
from ccmcheck.predict.inputs.fields import Opaque, at
from ccmcheck.predict.inputs.manifests import plain, read_manifests

DOUBLED = "  a0: &a0 [x, x]\n" + "".join(
    f"  a{number}: &a{number} [*a{number - 1}, *a{number - 1}]\n" for number in range(1, 60)
)
MERGED = "  a0: &a0 {q: 1}\n" + "".join(
    f"  a{number}: &a{number} {{<<: [*a{number - 1}, *a{number - 1}], b{number}: *a{number - 1}}}\n"
    for number in range(1, 60)
)


def text(bomb: str, spec: str) -> str:
    """A Service with values that multiply."""
    return f"apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nx:\n{bomb}spec:\n  type: LoadBalancer\n{spec}"


@pytest.mark.parametrize("bomb", [DOUBLED, MERGED], ids=["doubled", "merged"])
@pytest.mark.parametrize("spec", ["  ports: [{port: 80}]\n", "  ports: *a59\n", "  selector: *a59\n  <<: *a59\n"])
def test_aliases_that_multiply_take_no_time(bomb: str, spec: str) -> None:
    started = time.process_time()
    contents = carriers.find("service.yaml", text(bomb, spec) * 1)
    manifests = read_manifests(contents.objects)
    assert len(manifests.services) == 1
    assert manifests.services[0].service.name == "web"
    assert time.process_time() - started < 2


def test_what_is_beyond_the_limit_is_unknown() -> None:
    (item,) = carriers.find("service.yaml", text(DOUBLED, "  ports: [{port: 80}]\n")).objects
    assert isinstance(at(plain(item.node, item.source), "spec"), Opaque)


def test_aliases_of_a_usual_service_are_written_out() -> None:
    spec = "  ports: [{port: 80, name: &n web}, &p {port: 81, name: *n}, {<<: *p, port: 82}]\n"
    (item,) = carriers.find("service.yaml", text("", spec).replace("x:\n", "")).objects
    assert at(plain(item.node, item.source), "spec", "ports") == [
        {"port": 80, "name": "web"},
        {"port": 81, "name": "web"},
        {"port": 82, "name": "web"},
    ]
