"""Every option that more than one command has, declared once; `ccmcheck help options` is made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.command import CHANGE, CLUSTER, FILES, OTHER, OUTPUT, RELEASES, RULES, Function, as_record, option
from ccmcheck.cli.option_types import FormatType, SeverityType, SizeType, complete_files, completer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ccmcheck.policy.profiles.standards import Standards

STDIN = "-"
"""Standard input where a file is read, standard output where one is written."""


class InputArguments(NamedTuple):
    """How files are read, and which configuration holds; see `input_options`."""

    config_file: str | None = None
    no_config: bool = False
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


def release_option(default: str) -> Callable[[Function], Function]:
    """``--release``.

    Args:
        default: Which releases a command judges by without it, for its ``--help``.
    """
    return option(
        "--release",
        "releases",
        section=RELEASES,
        multiple=True,
        metavar="R",
        shell_complete=completer("releases"),
        help=f"CCM release, 1.31 or v1.31.2; repeatable where a command compares. Default: {default}, else the newest.",
    )


RELEASE = release_option("release in ccmcheck.toml, else the CCM's image or chart nearest to the file")
CONSUMER = option(
    "--consumer",
    section=RELEASES,
    metavar="NAME",
    shell_complete=completer("consumers"),
    help="Program that reads the file: ccm (default), cinder-csi-plugin, barbican-kms-plugin, legacy-in-tree.",
)
FROM = option(
    "--from",
    "old",
    section=RELEASES,
    metavar="R",
    shell_complete=completer("releases"),
    help="CCM release before the change. Default: the CCM's image or chart nearest to each file.",
)
TO = option(
    "--to",
    "new",
    section=RELEASES,
    metavar="R",
    shell_complete=completer("releases"),
    help="CCM release after the change.",
)
CONFIG_FROM = option(
    "--config-from",
    section=FILES,
    metavar="REV",
    help="Take configuration, baseline, profiles and suppressions from this revision, such as a pull request's base.",
)
CLOUD_CONFIG = option(
    "--cloud-config",
    section=FILES,
    metavar="FILE",
    shell_complete=complete_files,
    help="The cloud.conf, in any carrier; - is standard input. Default: those among the files.",
)
DEPLOYMENT = option(
    "--deployment",
    "deployments",
    section=FILES,
    multiple=True,
    metavar="NAME",
    help="Only this deployment: its name as `list` shows it, its file, a folder around it, or a pattern with *.",
)
SELECT = option(
    "--select",
    section=RULES,
    multiple=True,
    metavar="RULE",
    shell_complete=completer("rules"),
    help="Only these rules or groups; commas separate them.",
)
IGNORE = option(
    "--ignore",
    section=RULES,
    multiple=True,
    metavar="RULE",
    shell_complete=completer("rules"),
    help="Not these rules or groups.",
)


def nodes_option(default: str) -> Callable[[Function], Function]:
    """``--nodes``.

    Args:
        default: Which Nodes count without it, for ``--help``.
    """
    return option(
        "--nodes",
        section=CLUSTER,
        type=click.IntRange(0, 10_000),
        metavar="N",
        help=f"How many nodes the cluster has. Default: {default}.",
    )


NODES = nodes_option("the Nodes among the files")
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
JOBS = option(
    "--jobs",
    section=OTHER,
    type=click.IntRange(1),
    metavar="N",
    help="How many processes. Default: as many as pay off.",
)
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
        shell_complete=completer("profiles"),
        help=f"{purpose} `ccmcheck profiles` lists the built-in ones.",
    )


CONFIG = option(
    "--config",
    "config_file",
    section=FILES,
    metavar="FILE",
    shell_complete=complete_files,
    help="ccmcheck's own configuration, for every file. Default: the ccmcheck.toml nearest to each file.",
)
NO_CONFIG = option("--no-config", section=FILES, is_flag=True, help="Read no configuration of ccmcheck.")

input_options = as_record(
    "inputs",
    InputArguments,
    CONFIG,
    NO_CONFIG,
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
        shell_complete=complete_files,
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
