"""What is said of the Services of a cluster costs no more than twice for twice as many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from counted_growth import growth, hold

from ccmcheck.cluster.live.services import live_services


def service(number: int, balancer: str) -> dict[str, Any]:
    return {
        "metadata": {
            "namespace": "shop",
            "name": f"web-{number}",
            "annotations": {"loadbalancer.openstack.org/load-balancer-id": balancer},
        },
        "spec": {"type": "LoadBalancer"},
        "status": {"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}},
    }


def test_one_address_of_all() -> None:
    def prepared(count: int) -> Callable[[], object]:
        services = [service(number, f"b{number % 2}") for number in range(count)]
        return lambda: live_services(services)

    hold(growth(prepared, 100))
    found = live_services([service(0, "a"), service(1, "b"), service(2, "")])
    assert found["shop/web-0"].twins == ("shop/web-1",)
    assert found["shop/web-1"].twins == ("shop/web-0",)
    assert found["shop/web-2"].twins == ()
