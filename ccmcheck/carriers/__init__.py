"""Finds every cloud.conf of a file: `find` searches the file, `ccmcheck.carriers.kinds` lists the kinds of objects."""

from ccmcheck.carriers.base import Bundle, Carried, CcmPod, Mount
from ccmcheck.carriers.collector import FindOptions
from ccmcheck.carriers.find import FileContents, find
from ccmcheck.carriers.prefilter import mentions_ccm, tells_others, worth_parsing, worth_reading

__all__ = [
    "Bundle",
    "Carried",
    "CcmPod",
    "FileContents",
    "FindOptions",
    "Mount",
    "find",
    "mentions_ccm",
    "tells_others",
    "worth_parsing",
    "worth_reading",
]
