"""YAML with spans: the only room that imports PyYAML, and only when the first YAML text is parsed."""

from ccmcheck.yamlio import marks
from ccmcheck.yamlio.marks import Mark
from ccmcheck.yamlio.meaning import kubernetes_scalar, resolve
from ccmcheck.yamlio.nodes import (
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    field,
    mappings,
    scalars,
    text_of,
    values_of,
)
from ccmcheck.yamlio.parse import documents

__all__ = [
    "Document",
    "Mapping",
    "Mark",
    "Node",
    "Scalar",
    "Sequence",
    "documents",
    "field",
    "kubernetes_scalar",
    "mappings",
    "marks",
    "resolve",
    "scalars",
    "text_of",
    "values_of",
]
