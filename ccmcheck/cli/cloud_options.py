"""The options that say what the cloud and the cluster are like, as decorators."""

from __future__ import annotations

from typing import Any

from ccmcheck.cli.cloud_arguments import CloudArguments
from ccmcheck.cli.command import as_record
from ccmcheck.cli.options import GROUPS, Given, nodes_option


def _arguments(**values: Any) -> CloudArguments:  # noqa: ANN401 - click's
    return Given(**values).cloud


_NAMES = [name for name in GROUPS["CLOUD"].split() if name != "replicas"]

live_cloud_options = as_record(
    "cloud",
    _arguments,
    *(nodes_option("the Nodes of the cluster") if name == "nodes" else getattr(Given, name) for name in _NAMES),
    fields=_NAMES,
)
"""Gives the command ``cloud``, a `CloudArguments`, where a running cluster says how many nodes and pods there are."""
