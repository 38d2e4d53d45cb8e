"""YAML with spans: the only room that imports PyYAML, and only when the first YAML text is parsed."""

from ccmcheck.yamlio import marks
from ccmcheck.yamlio.mark import TemplateMark
from ccmcheck.yamlio.meaning import kubernetes_scalar, resolve
from ccmcheck.yamlio.nodes import (
    Mapping,
    Scalar,
    Sequence,
    YamlDocument,
    YamlNode,
    field,
    mappings,
    scalars,
    text_of,
    values_of,
)
from ccmcheck.yamlio.parse import documents

__all__ = [
    "Mapping", "Scalar", "Sequence", "TemplateMark", "YamlDocument", "YamlNode", "documents", "field",
    "kubernetes_scalar", "mappings", "marks", "resolve", "scalars", "text_of", "values_of",
]  # fmt: skip
