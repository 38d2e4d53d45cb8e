"""What a run was asked for, as far as a single file needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import FindOptions
from ccmcheck.conf.target_release import TargetRelease

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.lint.suppress import PathIgnores
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.deployment.build import ChosenDeployments


def find_options(variables: Mapping[str, str], template: bool | None) -> FindOptions:
    """How a run searches its files: with the charts around them; the values of secret variables are hidden from now on.

    Args:
        variables: Values for template variables.
        template: See `FindOptions`.
    """
    from ccmcheck.redact.run_secrets import hide_variables
    from ccmcheck.workspace.chart_templates import ChartTemplates

    hide_variables(variables)
    return FindOptions(variables=variables, template=template, chart_templates=ChartTemplates())


class Settings(NamedTuple):
    """What one run was asked for, as far as a single file needs it.

    Attributes:
        judged: The releases named by the user; empty to find them.
        severities: A rule's severity where the configuration changes it; None switches the rule off.
        only: The rules to run; empty for all.
        find: How carriers are searched.
        suppress: False to show what comments and annotations suppress.
        path_ignores: Rules that are off for some paths.
        root: The folder that those paths are relative to.
        base: The revision whose suppressions alone count; None where all do.
        replacements: Whether findings have what their fixes replace in the file.
        most_shown: How many findings are shown; the others are only counted. 0 for all.
        chosen: The deployments that are judged; None for all.
    """

    judged: tuple[TargetRelease, ...] = ()
    severities: Mapping[str, Severity | None] = {}
    only: frozenset[str] = frozenset()
    find: FindOptions = FindOptions()
    suppress: bool = True
    path_ignores: PathIgnores | None = None
    root: str = ""
    base: BaseRevision | None = None
    replacements: bool = False
    most_shown: int = 0
    chosen: ChosenDeployments | None = None
