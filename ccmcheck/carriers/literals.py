"""Kustomize's ``literals`` of a ``secretGenerator`` or ``configMapGenerator``: ``cloud.conf=``, then the text."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.catalog.signs.forms import is_ini
from ccmcheck.catalog.signs.paths import is_cloud_conf_key
from ccmcheck.catalog.signs.scorer import recognise
from ccmcheck.catalog.signs.table import KnownBy
from ccmcheck.layers.slice import Slice
from ccmcheck.yamlio import Scalar

_LITERAL = lazy_regex(r"(?P<key>[\w.-]++)=(?P<quote>[\"'])?")


def search(carrier: Carrier, node: Scalar, where: str) -> bool:
    """Search one literal.

    Args:
        carrier: The kustomization, with the text that the literal is in.
        node: The literal.
        where: The place in the object, for people.

    Returns:
        Whether it is a key with a value, so that there is nothing else in it.
    """
    match = _LITERAL.match(node.value)
    if match is None:
        return False
    key = match["key"]
    quoted = match["quote"] is not None and node.value.endswith(match["quote"])
    span = Span(match.end() if quoted else match.end("key") + 1, len(node.value) - quoted)
    text = node.value[span.start : span.end]
    if is_cloud_conf_key(key):
        recognition = recognise(text, KnownBy.OBJECT) if text.strip() else None
    else:
        recognition = recognise(text) if is_ini(text) else None
    if recognition is not None and (recognition.taken or is_cloud_conf_key(key)):
        source = carrier.source.enter_scalar(node)
        inner = source.enter(Slice(source.text, span, "literal"))
        carrier._replace(source=inner).collect(f'{where} "{key}"', key, recognition=recognition)
    return True
