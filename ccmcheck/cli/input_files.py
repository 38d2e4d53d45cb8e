"""The Services, cloud.confs and workloads in the files that a command names, and the releases to predict by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.catalog.readers import reader_name
from ccmcheck.cli.cloud import cluster_of
from ccmcheck.cli.options import STDIN, CloudArguments, Given
from ccmcheck.cli.resolve import CommandInputs, readers, target_releases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.cli.running import CommandRun
    from ccmcheck.conf.target_release import FoundRelease, TargetRelease
    from ccmcheck.workspace.config import Config
    from ccmcheck.workspace.deployment.build import Candidates, ChosenDeployments
    from ccmcheck.workspace.deployment.record import Deployment
    from ccmcheck.workspace.survey import Survey, SurveyedConf

NO_CLOUD_CONF = "It has a section such as [Global] or [LoadBalancer], plain or in a manifest."


def look(
    paths: Sequence[str], inputs: CommandInputs, asked: Sequence[str] = (), *, with_documents: bool = False
) -> Survey:
    """Read all files.

    Args:
        paths: Files, folders, patterns, ``-``.
        inputs: How and which files are read.
        asked: The releases or readers that the command line names: then nothing around a file tells of another reader.
        with_documents: Whether the examples in documents count.
    """
    from ccmcheck.workspace.gathering import survey_files, survey_texts
    from ccmcheck.workspace.read_files import StandardInput

    if inputs.texts:
        survey = survey_texts(inputs.texts[0], inputs.find_of)
    else:
        stdin = StandardInput(inputs.stdin_name, inputs.filled_stdin if STDIN in paths else b"")
        survey = survey_files(paths, inputs.find_of, inputs.discover, stdin, with_documents=with_documents)
    if not asked:
        survey.settle_readers(lambda path, _: not inputs.of(path).release)
    return survey


def standard_input(inputs: CommandInputs) -> bytes | Failure:
    """The bytes of standard input, where they are within the limit of ``--max-size``."""
    from ccmcheck.workspace import discover

    return discover.within(inputs.stdin_name, inputs.filled_stdin, inputs.stdin_limit)


def cloud_confs(paths: Sequence[str], inputs: CommandInputs, asked: Sequence[str] = ()) -> Survey:
    """The survey of files and folders that have a cloud.conf, for any reader.

    Args:
        paths: Files, folders, patterns, ``-``.
        inputs: How and which files are read.
        asked: See `look`.

    Raises:
        InputError: There is no cloud.conf.
    """
    survey = look(paths, inputs, asked)
    if not survey.confs:
        raise no_cloud_conf(paths, survey, inputs)
    return survey


def no_cloud_conf(paths: Sequence[str], survey: Survey, inputs: CommandInputs) -> InputError:
    """The error for files without a cloud.conf: why one cannot be read, or that there is none."""
    from ccmcheck.carriers.find import why_none

    if survey.failures:
        first = survey.failures[0]
        return InputError(f"{first.place}: {first.message}", first.hint)
    named = " ".join(inputs.stdin_name if path == STDIN else path for path in paths)
    if survey.confs:
        path, carried = survey.confs[0]
        hint = "lint, show and read judge it by that reader."
        if path in survey.told_around:
            hint += " Name a release on the command line if the CCM reads it."
        return InputError(
            f"there is no cloud.conf of the CCM in {named}: {path} is read by {reader_name(carried.consumers[0])}", hint
        )
    return InputError(f"there is no cloud.conf in {named}{why_none(survey.not_taken)}", NO_CLOUD_CONF)


def candidates(
    cloud_config: str | None, names: Sequence[str], survey: Survey, inputs: CommandInputs, asked: Sequence[str] = ()
) -> Candidates:
    """The cloud.confs to predict by: the one that is named, else those among the files.

    Args:
        cloud_config: ``--cloud-config``.
        names: ``--deployment``, each.
        survey: What the files hold.
        inputs: How the named file is read.
        asked: See `look`.

    Raises:
        InputError: The named file cannot be read, or holds no cloud.conf.
        WrongUse: There is no deployment of a name.
    """
    from ccmcheck.workspace.deployment.build import Candidates, candidates_of

    if cloud_config is None:
        return candidates_of(survey, names)
    if names:
        raise WrongUse("--cloud-config names a cloud.conf, and --deployment one among the files; leave one out")
    mine = (_named(cloud_config, inputs, asked),)
    return Candidates(mine, mine)


def chosen(given: Given, inputs: CommandInputs) -> ChosenDeployments | None:
    """What of the files belongs to the deployments that ``--deployment`` names; None without it.

    Args:
        given: What the command line says.
        inputs: How and which files are read.

    Raises:
        WrongUse: There is no deployment of a name.
    """
    if not given.deployments:
        return None
    from ccmcheck.workspace.deployment.build import ChosenDeployments

    asked = given.releases or (given.consumer or "").split()
    return ChosenDeployments(look(given.paths, inputs, asked, with_documents=True), given.deployments)


def readers_of(path: str, carried: CarriedConf, survey: Survey, run: CommandRun) -> tuple[TargetRelease, ...]:
    """Who reads one cloud.conf, by the options and the configuration, else by what the files say.

    Args:
        path: Its file.
        carried: The cloud.conf.
        survey: What the files hold.
        run: The run of a command that shows each cloud.conf.
    """
    given, inputs = run.given, run.inputs

    def found() -> FoundRelease:
        return survey.release_of_text(path, carried).in_cluster(inputs.kubernetes_of(path))

    return readers(given.reader, given.releases, given.consumer, inputs.of(path).release, found, carried)


def refuse_two_readers(cloud_config: str | None, paths: Sequence[str]) -> None:
    """Refuse standard input as the cloud.conf and as the Services.

    Raises:
        WrongUse: It is named as both.
    """
    if cloud_config == STDIN and STDIN in paths:
        raise WrongUse("standard input is either the cloud.conf or the Services, not both")


def _named(path: str, inputs: CommandInputs, asked: Sequence[str]) -> SurveyedConf:
    survey = look((path,), inputs, asked)
    mine = survey.ccm_confs
    if not mine:
        raise no_cloud_conf((path,), survey, inputs)
    return mine[0]


def deployments_of(
    survey: Survey,
    among: Candidates,
    inputs: CommandInputs,
    asked: Sequence[str],
    cloud_of: Callable[[SurveyedConf], CloudArguments],
) -> list[Deployment]:
    """The deployments by ``--release``, the configuration, the CCM's image near the file, or what is assumed.

    Args:
        survey: What the files hold.
        among: The cloud.confs.
        inputs: How they are read.
        asked: ``--release``, each.
        cloud_of: What is said of the cloud around a cloud.conf.
    """
    from ccmcheck.workspace.deployment.build import deployments

    def judged(config: SurveyedConf, kubernetes: str) -> tuple[TargetRelease, ...]:
        named = target_releases(asked, None, configuration_of(config, inputs).release)
        return named or (survey.release_of(config).in_cluster(kubernetes).target,)

    return deployments(survey, among, judged, lambda config, objects, pods: cluster_of(cloud_of(config), objects, pods))


def configuration_of(config: SurveyedConf, inputs: CommandInputs) -> Config:
    """Ccmcheck's own configuration for a cloud.conf; for the defaults, the one nearest to all files."""
    return inputs.of(config.path) if config.path else inputs.shared
