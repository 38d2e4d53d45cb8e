"""Where a cloud.conf hides: one file a kind of carrier, and `find`, which looks through a whole file."""

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
