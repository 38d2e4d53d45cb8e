"""Lenses on texts within texts, one a file, and the stack that carries places and changes through them."""

from ccmcheck.layers.base import Layer, ReadOnly
from ccmcheck.layers.block import LiteralBlock
from ccmcheck.layers.encoded import UNPACKED_LIMIT, Base64, GzipBase64, base64_layer, gzip_base64_layer
from ccmcheck.layers.masked import Masked
from ccmcheck.layers.plain import Plain
from ccmcheck.layers.quoted import Quoted, double_quoted
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.stack import Stack
from ccmcheck.layers.unescaped import Unescaped
from ccmcheck.layers.unindented import common_blanks, leading_tabs, unindented
from ccmcheck.layers.variables import Variables, marks_with_values

__all__ = [
    "UNPACKED_LIMIT",
    "Base64",
    "GzipBase64",
    "Layer",
    "LiteralBlock",
    "Masked",
    "Plain",
    "Quoted",
    "ReadOnly",
    "Slice",
    "Stack",
    "Unescaped",
    "Variables",
    "base64_layer",
    "common_blanks",
    "double_quoted",
    "gzip_base64_layer",
    "leading_tabs",
    "marks_with_values",
    "scalar_layer",
    "unindented",
]
