"""A management cluster and its clusters from the stand-in, and kubeconfigs for them."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from cluster_runs import Done, run
from fleet_certificates import certificates
from fleet_objects import Layout
from fleet_stand_in import StandIn, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SMALL = Layout(clusters=30, services=20, nodes=3)
"""The clusters 0 to 29, none of which is broken."""


@contextmanager
def serving(folder: Path, layout: Layout) -> Iterator[StandIn]:
    """Serve until the block ends, with a kubeconfig of the management cluster in the folder."""
    certified = folder / "certificates"
    certified.mkdir()
    if not certificates(certified):
        pytest.skip("there is no openssl")
    with running(certified, layout) as stand_in:
        (folder / "management").write_text(json.dumps(stand_in.kubeconfig("/m", {"token": "of-the-management"})))
        yield stand_in


def fleet(folder: Path, *arguments: str) -> Done:
    """Run ``cluster fleet`` for the management cluster."""
    return run(folder, "fleet", "--management", "--kubeconfig", "management", "--timeout", "2", *arguments)


def of_folder(folder: Path, *arguments: str) -> Done:
    """Run ``cluster fleet`` for the kubeconfigs of the folder ``configs``."""
    return run(folder, "fleet", "--kubeconfig-dir", "configs", "--timeout", "2", *arguments)


def lines(text: str) -> list[dict[str, object]]:
    """The objects of ``ndjson``."""
    return [json.loads(line) for line in text.splitlines()]
