"""One deployment of a CCM, as every command sees it."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod, RunContext
from ccmcheck.carriers.saved_answers import Saved, without_octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.workspace.survey import SurveyedConf, options_at, options_of_each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.profile import Requirement
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.predict.inputs.options import Options

NO_CONFIG = SurveyedConf("", "", None)
"""In place of a cloud.conf: the release's defaults stand in."""


class Deployment(NamedTuple):
    """A CCM: its cloud.conf, the release that reads it, and what lies nearest to it.

    Attributes:
        config: The cloud.conf, or what installs the CCM where that is not among the files; `NO_CONFIG` without either.
        judged: The release that reads it.
        gathered: The Services and Nodes that are its own.
        cloud: The cloud around it.
        workloads: The CCM's workloads that may be the ones that read it.
        idle: Why none of them runs; empty where one may.
        answers: What files hold of OpenStack's answers, where they are known to be of its cloud.
    """

    config: SurveyedConf
    judged: TargetRelease
    gathered: Manifests
    cloud: CloudState
    workloads: tuple[CcmPod, ...] = ()
    idle: str = ""
    answers: tuple[Saved, ...] = ()

    @property
    def name(self) -> str:
        """What it is called: the file of its cloud.conf, with the object in it; empty without a cloud.conf."""
        return self.config.name

    def options(self, requirements: Sequence[Requirement] = ()) -> Options:
        """The cloud.conf as its release reads it; each call reads it again.

        Args:
            requirements: Those of the profiles, which say what stands in for a cloud.conf.
        """
        return self._running(options_at(self.config, self.judged, self._context(requirements)))

    def options_of_each(self, requirements: Sequence[Requirement] = ()) -> list[Options]:
        """The same for each release that is left, and each text that a template's conditions make.

        Args:
            requirements: See `options`.
        """
        context = self._context(requirements)
        return [
            self._running(options) for one in self.judged.each for options in options_of_each(self.config, one, context)
        ]

    def _running(self, options: Options) -> Options:
        """What is read, unless nothing reads it."""
        conf = self.config.carried.text if self.config.carried is not None else ""
        if options.use_octavia and not options.stop:
            adds_version = behaves("octavia-version-twice", options.release)
            why, of_what = without_octavia(self.answers, conf, adds_version=adds_version)
            options = options._replace(stop=why, stopped_by=of_what) if why else options
        if options.stop or not self.idle:
            return options
        return options._replace(stop=self.idle, stopped_by=self.workloads[0].object)

    def _context(self, requirements: Sequence[Requirement]) -> RunContext:
        return RunContext(facts=self.cloud.facts, requirements=tuple(requirements))


def is_named(path: str, subject: str, name: str) -> bool:
    """Whether a name, as ``--deployment`` takes it, means a deployment.

    Args:
        path: The file of its cloud.conf.
        subject: The object in it; empty for none.
        name: Its name, its file, a folder around it, the object or the object's name alone, or a pattern with ``*``.
    """
    ways = (f"{path} › {subject}", path, subject, subject.rpartition(" ")[2])
    return path.startswith(f"{name.rstrip('/')}/") or any(fnmatchcase(way, name) for way in ways if way)
