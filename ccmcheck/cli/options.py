"""Every option that more than one command has, declared once; `ccmcheck help options` is made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.cluster_facts import TOPOLOGIES, ClusterFacts, merge
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion
from ccmcheck.cli.command import CHANGE, CLUSTER, FILES, OUTPUT, RELEASES, RULES, as_record, option

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from click.shell_completion import CompletionItem

    from ccmcheck.policy.profiles.standards import Standards

STDIN = "-"
"""Standard input where a file is read, standard output where one is written."""


class SeverityType(click.ParamType[Severity]):
    """A severity by its word."""

    name = "severity"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Severity:
        """Turn the word into the severity."""
        if isinstance(value, Severity):
            return value
        try:
            return Severity[str(value).upper()]
        except KeyError:
            self.fail(f"`{value}` is not one of error, warning, info", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the words."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(severity.word) for severity in Severity if severity.word.startswith(incomplete)]


class SizeType(click.ParamType[int]):
    """A number of bytes, ``10MiB``."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Turn ``10MiB``, ``500kB`` or a plain number into bytes."""
        if isinstance(value, int):
            return value
        from ccmcheck.workspace.config_file import parse_size

        size = parse_size(str(value))
        if size is None:
            self.fail(f"`{value}` is not a size; write 500kB or 10MiB", param, ctx)
        return size


class FormatType(click.ParamType[str]):
    """One of a command's output formats.

    Args:
        names: The formats.
    """

    name = "format"

    def __init__(self, names: Collection[str]) -> None:
        self.names = tuple(names)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Refuse a name that is no format of the command.

        Raises:
            WrongUse: It is none.
        """
        text = str(value)
        if text not in self.names:
            from ccmcheck.base.suggest import hint

            raise WrongUse(f'There is no format "{text}"; there are {", ".join(self.names)}.', hint(text, self.names))
        return text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]


class InputArguments(NamedTuple):
    """How files are read, and which configuration holds; see `input_options`."""

    config_file: str | None = None
    no_config: bool = False
    trust_config: bool = False
    exclude: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    env_files: tuple[str, ...] = ()
    stdin_filename: str | None = None
    is_template: bool | None = None
    max_size: int | None = None


class OutputArguments(NamedTuple):
    """Where reports go; see `output_options`."""

    formats: tuple[str, ...] = ()
    output: str | None = None
    output_files: tuple[str, ...] = ()
    color: str | None = None


class CloudArguments(NamedTuple):
    """What the cloud and the cluster are like; see `cloud_options`.

    Attributes:
        facts: What the options say about them.
        replicas: ``--replicas``.
        profiles: ``--profile``.
    """

    facts: ClusterFacts
    replicas: int | None
    profiles: Standards

    @property
    def is_empty(self) -> bool:
        """Whether none of the options is given."""
        return not self.facts.known() and self.replicas is None and not self.profiles.names

    @property
    def merged(self) -> ClusterFacts:
        """The facts of the options, and below them those of the profiles."""
        return merge(self.facts, self.profiles.facts)


FACTS = (
    "octavia_release",
    "ovn_octavia_release",
    "kubernetes_version",
    "cluster_name",
    "nodes",
    "topology",
    "monitor_quota",
    "monitors_used",
)
"""The options that give a field of `ClusterFacts`."""


def _cloud_arguments(**values: Any) -> CloudArguments:  # noqa: ANN401 - click's
    facts = {name: values[name] for name in FACTS}
    facts["topology"] = TOPOLOGIES.get(facts["topology"] or "", "")
    return CloudArguments(ClusterFacts(**facts), values["replicas"], values["profiles"])


RELEASE = option(
    "--release",
    "releases",
    section=RELEASES,
    multiple=True,
    metavar="R",
    shell_complete=completion.releases,
    help="CCM release, 1.31 or v1.31.2; repeatable where a command compares. "
    "Default: release in ccmcheck.toml, else the CCM's image or chart nearest to the file, else the newest.",
)
CONSUMER = option(
    "--consumer",
    section=RELEASES,
    metavar="NAME",
    shell_complete=completion.consumers,
    help="Program that reads the file: ccm (default), cinder-csi-plugin, barbican-kms-plugin, legacy-in-tree.",
)
FROM = option(
    "--from",
    "old",
    section=RELEASES,
    metavar="R",
    shell_complete=completion.releases,
    help="CCM release before the change. Default: the CCM's image or chart nearest to each file.",
)
TO = option(
    "--to",
    "new",
    section=RELEASES,
    metavar="R",
    shell_complete=completion.releases,
    help="CCM release after the change.",
)
CONFIG_FROM = option(
    "--config-from",
    section=FILES,
    metavar="REV",
    help="Take configuration, baseline and suppressions from this revision, such as the base of a pull request.",
)
CLOUD_CONFIG = option(
    "--cloud-config",
    section=FILES,
    metavar="FILE",
    shell_complete=completion.files,
    help="The cloud.conf, in any carrier; - is standard input. Default: the one among the files.",
)
SELECT = option(
    "--select",
    section=RULES,
    multiple=True,
    metavar="RULE",
    shell_complete=completion.rules,
    help="Only these rules or groups; commas separate them.",
)
IGNORE = option(
    "--ignore",
    section=RULES,
    multiple=True,
    metavar="RULE",
    shell_complete=completion.rules,
    help="Not these rules or groups.",
)
NODES = option(
    "--nodes",
    section=CLUSTER,
    type=click.IntRange(0, 10_000),
    metavar="N",
    help="How many nodes the cluster has. Default: the Nodes among the files.",
)
OCTAVIA_RELEASE = option(
    "--octavia-release", section=CLUSTER, default="", metavar="R", help="Octavia's series or version, 2024.1 or 14.0.0."
)
KUBERNETES_VERSION = option(
    "--kubernetes-version", section=CLUSTER, default="", metavar="V", help="The cluster's Kubernetes version."
)
FAIL_ON = option("--fail-on", section=OUTPUT, type=SeverityType(), help="Exit with 1 from this severity on.")
COLOR = option(
    "--color",
    section=OUTPUT,
    type=click.Choice(["auto", "always", "never"]),
    help="Default: auto, which follows NO_COLOR and the terminal.",
)
QUIET = option("-q", "--quiet", section=OUTPUT, is_flag=True, help="Print no notes and no summary line.")
VERBOSE = option("-v", "--verbose", section=OUTPUT, count=True, help="Print more; -vv prints all there is.")
REQUIRE = option(
    "--require",
    section=FILES,
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Exit with 2 where fewer than N cloud.confs are found.",
)
OUTPUT_DIR = option(
    "--output-dir", section=CHANGE, metavar="DIR", help="Write the changed files, or the patches, below this folder."
)
DIFF = option("--diff", section=CHANGE, is_flag=True, help="Show what would change, secrets masked.")
CHECK = option("--check", section=CHANGE, is_flag=True, help="Change nothing; exit with 1 if anything would change.")
WITH_SECRETS = option("--with-secrets", section=OUTPUT, is_flag=True, help="Do not mask secrets in the output.")
OUTPUT_PATH = option(
    "-o",
    "--output",
    section=OUTPUT,
    metavar="PATH",
    help="Write to this file instead of standard output (-).",
)


def load_profiles(names: Sequence[str]) -> Standards:
    """The requirements of several profiles together; configobj is only imported where there is one.

    Args:
        names: Built-ins' names, and paths.

    Raises:
        WrongUse: There is no profile of a name.
        BadConfiguration: One cannot be used.
    """
    from ccmcheck.policy.profiles.standards import NO_STANDARDS

    if not names:
        return NO_STANDARDS
    from ccmcheck.policy.profiles.loading import load_all

    return load_all(names)


def _loaded(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> Standards:
    return load_profiles(names)


def profile_option(purpose: str, *, load: bool = True) -> Callable[..., Any]:
    """``--profile``, read once: it may be a pipe.

    Args:
        purpose: What the command uses it for.
        load: Whether the command gets the loaded profiles, or their names.
    """
    return option(
        "--profile",
        "profiles",
        section=CLUSTER,
        multiple=True,
        callback=_loaded if load else None,
        metavar="NAME|FILE",
        shell_complete=completion.profiles,
        help=f"{purpose} `ccmcheck profiles` lists the built-in ones.",
    )


CONFIG = option(
    "--config",
    "config_file",
    section=FILES,
    metavar="FILE",
    shell_complete=completion.files,
    help="ccmcheck's own configuration, for every file. Default: the ccmcheck.toml nearest to each file.",
)
NO_CONFIG = option("--no-config", section=FILES, is_flag=True, help="Read no configuration of ccmcheck.")
TRUST_CONFIG = option(
    "--trust-config",
    section=FILES,
    is_flag=True,
    help="The configuration may name files outside of its repository, and output files.",
)

input_options = as_record(
    "inputs",
    InputArguments,
    CONFIG,
    NO_CONFIG,
    TRUST_CONFIG,
    option(
        "--exclude",
        section=FILES,
        multiple=True,
        metavar="GLOB",
        help="Leave out files and folders below PATH.",
    ),
    option(
        "--var",
        "variables",
        section=FILES,
        multiple=True,
        metavar="NAME=VALUE",
        help="Value of a template variable ${NAME}.",
    ),
    option(
        "--env-file",
        "env_files",
        section=FILES,
        multiple=True,
        metavar="FILE",
        shell_complete=completion.files,
        help="Values of template variables: NAME=VALUE lines, or a clusterctl.yaml.",
    ),
    option("--stdin-filename", section=FILES, metavar="NAME", help="Name for standard input in messages."),
    option(
        "--template/--final",
        "is_template",
        section=FILES,
        default=None,
        help="Whether something still renders the files later. Default: by name and content.",
    ),
    option("--max-size", section=FILES, type=SizeType(), help="Do not read files above this size. Default: 10MiB."),
)
"""Gives the command ``inputs``, an `InputArguments`."""

cloud_options = as_record(
    "cloud",
    _cloud_arguments,
    OCTAVIA_RELEASE,
    option(
        "--ovn-octavia-release",
        section=CLUSTER,
        default="",
        metavar="R",
        help="ovn-octavia-provider's series or version.",
    ),
    KUBERNETES_VERSION,
    option(
        "--cluster-name",
        section=CLUSTER,
        default="",
        metavar="NAME",
        help="The CCM's --cluster-name. Default: from its workload, else kubernetes.",
    ),
    NODES,
    option(
        "--replicas",
        section=CLUSTER,
        type=click.IntRange(0),
        metavar="N",
        help="How many pods each Service has. Default: from the workloads among the files.",
    ),
    option("--topology", section=CLUSTER, type=click.Choice(list(TOPOLOGIES)), help="Octavia's loadbalancer_topology."),
    option(
        "--monitor-quota",
        section=CLUSTER,
        type=click.IntRange(-1),
        metavar="N",
        help="How many health monitors the project may have.",
    ),
    option(
        "--monitors-used",
        section=CLUSTER,
        type=click.IntRange(0),
        metavar="N",
        help="How many it has already, besides those of the Services here.",
    ),
    profile_option("Use the facts of this profile; repeatable."),
    fields=(*FACTS, "replicas", "profiles"),
)
"""Gives the command ``cloud``, a `CloudArguments`."""


def output_options(
    formats: Collection[str], default: str = "text"
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """``--format``, ``--output``, ``--output-file``, ``--color``; gives the command ``outputs``, an `OutputArguments`.

    Args:
        formats: The command's formats.
        default: The one that is the default.
    """
    return as_record(
        "outputs",
        OutputArguments,
        option(
            "--format",
            "formats",
            section=OUTPUT,
            type=FormatType(formats),
            multiple=True,
            metavar="FORMAT",
            help=f"{_listed(formats)}. Default: {default}.",
        ),
        OUTPUT_PATH,
        option(
            "--output-file",
            "output_files",
            section=OUTPUT,
            multiple=True,
            metavar="FORMAT=PATH",
            help="Also write this format to a file; repeatable.",
        ),
        COLOR,
    )


def _listed(names: Collection[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
