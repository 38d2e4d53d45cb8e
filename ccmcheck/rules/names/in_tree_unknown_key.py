"""An unknown name that stops the legacy in-tree provider."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Problem, Problems
from ccmcheck.base.suggest import nearest_name
from ccmcheck.catalog import Schema, fold
from ccmcheck.catalog.data.cluster import OPENSHIFT_GLOBAL
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, is_openshift

_IN_TREE = "legacy-in-tree"


def check(conf: CloudConf) -> Problems:
    """Look each name up in what the in-tree provider knows."""
    schema = _schema(conf)
    if schema is None or not schema.refuses_unknown:
        return
    for section in conf.sections:
        spec = schema.section(section.name)
        if conf.is_opaque(section.span) or not section.sound:
            continue
        if spec is None or (section.subsection is not None and not spec.is_map):
            yield Problem(
                section.span,
                f"the in-tree provider of Kubernetes {schema.release.name} does not start: unknown section",
                "",
                _instead(section.name, schema),
            )
            continue
        of_build = OPENSHIFT_GLOBAL if is_openshift(conf) and fold(section.name) == fold(GLOBAL) else ()
        for entry in section.entries:
            if fold(entry.key) in of_build:
                continue  # OpenShift's build of the in-tree provider reads it
            if entry.sound and spec.key(entry.key) is None and not conf.is_opaque(entry.key_span):
                yield Problem(
                    entry.key_span,
                    f"the in-tree provider of Kubernetes {schema.release.name} does not start: unknown key",
                    "",
                    "Delete the line, or give the in-tree provider a file of its own.",
                    fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, entry)),
                )


def _instead(name: str, schema: Schema) -> str:
    near = nearest_name(name, [known.name for known in schema.sections])
    return "Give the in-tree provider a file of its own." if near in (None, name) else f"Did you mean `[{near}]`?"


def _schema(conf: CloudConf) -> Schema | None:
    if conf.schema.consumer == _IN_TREE:
        return conf.schema
    if _IN_TREE not in conf.carried.consumers:
        return None
    try:
        return catalog.schema(catalog.release(conf.release.branch, _IN_TREE), _IN_TREE)
    except WrongUse:
        return None
