"""Lenses on texts within texts, one a file, and the stack that carries places and changes through them."""

from ccmcheck.layers.base import Layer, ReadOnly
from ccmcheck.layers.block import LiteralBlock
from ccmcheck.layers.encoded import UNPACKED_LIMIT, Base64, GzipBase64, base64_layer, gzip_base64_layer
from ccmcheck.layers.masked import Masked
from ccmcheck.layers.plain import Plain
from ccmcheck.layers.quoted import Quoted
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.layers.slice import Slice
from ccmcheck.layers.stack import Stack
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
    "Variables",
    "base64_layer",
    "gzip_base64_layer",
    "marks_with_values",
    "scalar_layer",
]
