"""Predicts what the CCM of one release asks Octavia for, and what comes of it.

::

    Options, Service, Cloud ─wanted─▶ what is wanted ─calls─▶ requests ─acceptance─▶ taken or not ─verdicts─▶ answers

`predict` is the whole of it, `follow` the CCM's side alone: pure, without I/O, and raising nothing.
"""

from ccmcheck.predict.cloud import Cloud, Node
from ccmcheck.predict.options import Options, options_of, read_options
from ccmcheck.predict.predict import follow, predict
from ccmcheck.predict.records import Answer, Outcome, Prediction, Request
from ccmcheck.predict.service import Service, ServicePort, read_service

__all__ = [
    "Answer",
    "Cloud",
    "Node",
    "Options",
    "Outcome",
    "Prediction",
    "Request",
    "Service",
    "ServicePort",
    "follow",
    "options_of",
    "predict",
    "read_options",
    "read_service",
]
