"""Finds every cloud.conf of a file: `find` searches the file, `ccmcheck.carriers.kinds` lists the kinds of objects."""

from ccmcheck.carriers.base import CarriedConf, CcmPod, Mount, RunContext
from ccmcheck.carriers.collector import FindOptions
from ccmcheck.carriers.find import FileContents, find
from ccmcheck.carriers.prefilter import mentions_ccm, needed_by_other_files, worth_parsing, worth_reading

__all__ = [
    "CarriedConf",
    "CcmPod",
    "FileContents",
    "FindOptions",
    "Mount",
    "RunContext",
    "find",
    "mentions_ccm",
    "needed_by_other_files",
    "worth_parsing",
    "worth_reading",
]
