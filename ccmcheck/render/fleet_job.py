"""An Indexed Job or CronJob that reads a fleet from inside of its management cluster, from the template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.suggest import hint
from ccmcheck.cluster.fleet.targets import MOST_SHARDS
from ccmcheck.render.rights import NAME, Named, WantedRights, manifests

FILE = "fleet-job.yaml.j2"
DEFAULTS = {
    "shards": "4", "at_once": "", "schedule": "", "claim": "", "cluster_namespace": "", "selector": "",
    "memory": "256Mi", "cpu": "500m", "deadline": "3600",
}  # fmt: skip
"""The template's variables that need not be given."""
REQUIRED = "image"
_CLUSTERS, _RESOURCES = "clusters", "resources"
_NUMBER = lazy_regex(r"[1-9][0-9]{0,5}", re.ASCII)
_QUANTITY = lazy_regex(r"[0-9]+(?:\.[0-9]+)?(?:m|k|M|G|Ki|Mi|Gi)?", re.ASCII)
_DNS = lazy_regex(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?", re.ASCII)
_CRON = lazy_regex(r"@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)|(?:\S+ ){4}\S+", re.ASCII)


def job(name: str, namespace: str, variables: Mapping[str, str], folder: str | None = None) -> str:
    """The manifests.

    Args:
        name: The Job's name; empty for ``ccmcheck-fleet``.
        namespace: Its namespace; empty for ``ccmcheck``.
        variables: Those of `DEFAULTS`, the image, and ``clusters`` and ``resources`` of the roles, with commas.
        folder: The user's own templates; None for none.

    Raises:
        WrongUse: A variable is missing, unknown or wrong.
    """
    from ccmcheck.render.environment import environment, fill

    known = (REQUIRED, *DEFAULTS, _CLUSTERS, _RESOURCES)
    for variable in variables:
        if variable not in known and folder is None:
            raise WrongUse(
                f"fleet-job has no variable `{variable}`", hint(variable, known) or f"It has {', '.join(known)}."
            )
    values: dict[str, str] = {**DEFAULTS, **variables}
    if not values.get(REQUIRED):
        raise WrongUse(
            "fleet-job needs an image with ccmcheck and its extra cluster in it",
            "Write --var image=registry.example.org/ccmcheck:1.",
        )
    values["at_once"] = values["at_once"] or values["shards"]
    _check(values)
    name, namespace = name or "ccmcheck-fleet", namespace or NAME
    for what, text in (("--name", name), ("--namespace", namespace)):
        if not _DNS.fullmatch(text):
            raise WrongUse(f"{what} `{text}` is no name of Kubernetes")
    named = Named((), "Secret", "", "", _pairs(values, _CLUSTERS), _pairs(values, _RESOURCES))
    roles = manifests(WantedRights(("fleet",), named, namespace))
    return fill(
        environment(folder), FILE, {**values, "name": name, "namespace": namespace, "account": NAME, "roles": roles}
    )


def _check(values: Mapping[str, str]) -> None:
    for variable in ("shards", "at_once", "deadline"):
        if not _NUMBER.fullmatch(values[variable]):
            raise WrongUse(f"`{variable}` has to be a number from 1 on")
    if int(values["shards"]) > MOST_SHARDS:
        raise WrongUse(f"there can be {MOST_SHARDS:,} shards at most")
    for variable in ("memory", "cpu"):
        if not _QUANTITY.fullmatch(values[variable]):
            raise WrongUse(f"`{variable}` is no quantity of Kubernetes", "Write 256Mi or 500m.")
    if values["schedule"] and not _CRON.fullmatch(values["schedule"]):
        raise WrongUse("`schedule` is not in cron notation", "Write five fields, 0 3 * * *, or @daily.")
    for variable in ("claim", "cluster_namespace"):
        if values[variable] and not _DNS.fullmatch(values[variable]):
            raise WrongUse(f"`{variable}` is no name of Kubernetes")


def _pairs(values: Mapping[str, str], variable: str) -> tuple[tuple[str, str], ...]:
    found: Sequence[str] = [text.strip() for text in values.get(variable, "").split(",") if text.strip()]
    pairs = [text.partition("/") for text in found]
    for text, (namespace, _, name) in zip(found, pairs, strict=True):
        if not (_DNS.fullmatch(namespace) and _DNS.fullmatch(name)):
            raise WrongUse(f"`{variable}` holds `{text}`, which is not NAMESPACE/NAME")
    return tuple((namespace, name) for namespace, _, name in pairs)
