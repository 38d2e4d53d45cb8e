"""A key that stands twice in one mapping of an object, or in both `data` and `stringData` of a Secret."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Span
from ccmcheck.rules.registry import CONFIG_OBJECTS
from ccmcheck.rules.views.manifest import Manifest, decoded_base64
from ccmcheck.yamlio import Mapping, Scalar

_PROGRAMS = lazy_regex(r"openstack-cloud-controller-manager|cinder-csi|cinder\.csi\.openstack\.org")
_TURN = lazy_regex(r"\{[{%]-?\s*(?:(?P<opens>if|with|range|for|define|block)|(?P<ends>end\w*)|el\w+)\b")
_NAME = lazy_regex(r"[\w./-]{1,100}\Z")


def check(manifest: Manifest) -> Problems:
    """Look at the workloads of the CCM and its driver, and at what holds a cloud.conf."""
    text = manifest.text
    if not (manifest.has_conf if manifest.kind in CONFIG_OBJECTS else _PROGRAMS.search(text, *manifest.node.content)):
        return
    start = manifest.node.content.start
    for first, key in manifest.node.repeated_keys():
        if _NAME.match(key.value) and not any(_is_in_branch(text, start, one.content) for one in (first, key)):
            yield Problem(
                key.content,
                f"`{key.value}` stands twice here: kubectl and Helm take this one, and not the one above",
                "What stands above has no effect; kustomize, and Flux with it, ends with `mapping key "
                f'"{key.value}" already defined`.',
                "Join them in one place.",
            )
    data, plain = manifest.node.get("data"), manifest.node.get("stringData")
    if isinstance(data, Mapping) and isinstance(plain, Mapping) and manifest.kind == "Secret":
        for key, value in plain.items:
            other = data.get(key.value)
            if not isinstance(other, Scalar) or not isinstance(value, Scalar) or not _NAME.match(key.value):
                continue
            decoded = None if manifest.has_mark(other) or manifest.has_mark(value) else decoded_base64(other.value)
            is_whole = not any(_is_in_branch(text, start, one.content) for one in (other, value))
            if decoded is not None and decoded.text != value.value and is_whole:
                yield Problem(
                    key.content,
                    f"`{key.value}` stands in `data`, too, with another value: Kubernetes takes this one",
                    "What is in `data` has no effect.",
                    "Delete one of them.",
                )


def _is_in_branch(text: str, start: int, place: Span) -> bool:
    """Whether a condition or loop of a template is open at a place, or was not closed as it began."""
    depth = 0
    for turn in _TURN.finditer(text, start, place.start):
        depth += 1 if turn["opens"] else -1 if turn["ends"] else 0
    return depth != 0
