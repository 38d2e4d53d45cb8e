"""Every option, declared once: its spelling, its help, the type of its value; `ccmcheck help options` is made from it.

A command names those that it takes, and reads their values as attributes of `Given`.

What the options say about the cloud and the cluster, as records.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import click

from ccmcheck.base.cluster_facts import TOPOLOGIES, ClusterFacts, merge
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.command import CHANGE, CLUSTER, FILES, OTHER, OUTPUT, RELEASES, RULES, Function, as_record
from ccmcheck.cli.given import Declared, Values, choice, either, flag, number, text, texts, word
from ccmcheck.cli.option_types import FormatType, SeverityType, SizeType, refuse_nan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ccmcheck.policy.profiles.standards import Standards


class CloudArguments(NamedTuple):
    """What the cloud and the cluster are like.

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


class AssumptionArguments(NamedTuple):
    """What no file says and the matrix asks for; the options of the same names."""

    client_ip: bool | None
    strict_mtls: bool | None
    stable_node_set: bool | None
    probe_budget: float | None

    @property
    def is_silent(self) -> bool:
        """Whether none of them is given."""
        return all(value is None for value in self)


STDIN = "-"
"""Standard input where a file is read, standard output where one is written."""
PATCH_FORMATS = ("json", "merge", "strategic", "kustomize", "clusterclass", "git")
_RELEASE_NEARBY = "release in ccmcheck.toml, else the CCM's image or chart nearest to the file"


class Given(Values):
    """What a command line says."""

    paths: Declared[tuple[str, ...]] = Declared("", (), metavar="[PATH]...", nargs=-1, complete="files")

    # Change
    write = flag("--write", "Change the files in place.", CHANGE)
    diff = flag("--diff", "Show what would change, secrets masked.", CHANGE)
    check = flag("--check", "Change nothing; exit with 1 if anything would change.", CHANGE)
    output_dir = text("--output-dir", "DIR", "Write the changed files, or the patches, below this folder.", CHANGE)
    patch_format = choice(
        "--patch", PATCH_FORMATS, f"Show the change as a patch: {', '.join(PATCH_FORMATS)}.", CHANGE, metavar="FORMAT"
    )
    unsafe = flag("--unsafe", "Also make the fixes that change what the CCM does.", CHANGE)
    unset = texts("--unset", "[SECTION.]KEY", "Remove a key.", CHANGE, complete="keys")

    # Rules
    select = texts("--select", "RULE", "Only these rules or groups; commas separate them.", RULES, complete="rules")
    ignore = texts("--ignore", "RULE", "Not these rules or groups.", RULES, complete="rules")
    baseline = text("--baseline", "FILE", "Do not report the findings that this file counts.", RULES, complete="files")
    write_baseline = text("--write-baseline", "FILE", "Count all findings into this file and exit with 0.", RULES)
    no_suppress = flag("--no-suppress", "Also report what comments and annotations suppress.", RULES)

    # Releases
    releases = texts(
        "--release",
        "R",
        "CCM release, 1.31 or v1.31.2; repeatable where a command compares. Default: {}, else the newest.",
        RELEASES,
        says=_RELEASE_NEARBY,
        complete="releases",
    )
    consumer = text(
        "--consumer",
        "NAME",
        "Program that reads the file: ccm (default), cinder-csi-plugin, barbican-kms-plugin, legacy-in-tree.",
        RELEASES,
        complete="consumers",
    )
    reader = text("--reader", "CONSUMER@RELEASE", "Both at once: ccm@release-1.20, cinder-csi-plugin@master.", RELEASES)
    old = text(
        "--from",
        "R",
        "CCM release before the change. Default: the CCM's image or chart nearest to each file.",
        RELEASES,
        complete="releases",
    )
    new = text("--to", "R", "CCM release after the change.", RELEASES, complete="releases")

    # Cloud and cluster
    octavia_release = word("--octavia-release", "R", "Octavia's series or version, 2024.1 or 14.0.0.", CLUSTER)
    ovn_octavia_release = word("--ovn-octavia-release", "R", "ovn-octavia-provider's series or version.", CLUSTER)
    kubernetes_version = word("--kubernetes-version", "V", "The cluster's Kubernetes version.", CLUSTER)
    cluster_name = word(
        "--cluster-name", "NAME", "The CCM's --cluster-name. Default: from its workload, else kubernetes.", CLUSTER
    )
    nodes = number(
        "--nodes",
        "How many nodes the cluster has. Default: {}.",
        CLUSTER,
        most=10_000,
        says="the Nodes among the files",
    )
    replicas = number(
        "--replicas", "How many pods each Service has. Default: from the workloads among the files.", CLUSTER
    )
    topology = choice("--topology", list(TOPOLOGIES), "Octavia's loadbalancer_topology.", CLUSTER)
    monitor_quota = number("--monitor-quota", "How many health monitors the project may have.", CLUSTER, least=-1)
    monitors_used = number("--monitors-used", "How many it has already, besides those of the Services here.", CLUSTER)
    profiles = texts(
        "--profile",
        "NAME|FILE",
        "{} `ccmcheck profiles` lists the built-in ones.",
        CLUSTER,
        says="Use the facts of this profile; repeatable.",
        complete="profiles",
    )

    os_cloud = word("--os-cloud", "NAME", "Cloud of clouds.yaml. Default: {}.", CLUSTER, says="OpenStack is not asked")
    agrees = flag("--yes", "Do not ask for a confirmation.", CLUSTER)

    client_ip = either("--client-ip/--no-client-ip", "Whether the pods need the client's address.", CLUSTER)
    strict_mtls = either(
        "--strict-mtls/--no-strict-mtls", "Whether the backends refuse connections that are not TLS.", CLUSTER
    )
    stable_node_set = either(
        "--stable-node-set/--no-stable-node-set",
        "The CCM's feature gate StableLoadBalancerNodeSet, which 1.27 to 1.29 can switch off.",
        CLUSTER,
    )
    probe_budget: Declared[float | None] = Declared(
        "--probe-budget",
        None,
        "Probes a second that one load balancer may send. Default: 100.",
        section=CLUSTER,
        type=click.FloatRange(0, min_open=True),
        callback=refuse_nan,
        metavar="N",
    )

    # Files and configuration
    cloud_config = text(
        "--cloud-config",
        "FILE",
        "The cloud.conf, in any carrier; - is standard input. Default: those among the files.",
        FILES,
        complete="files",
    )
    config_from = text(
        "--config-from",
        "REV",
        "Take configuration, baseline, profiles and suppressions from this revision, such as a pull request's base.",
        FILES,
    )
    diff_base = word("--diff-base", "REV", "Only files that changed since the merge base with REV.", FILES)
    deployments = texts(
        "--deployment",
        "NAME",
        "Only this deployment: its name as `list` shows it, its file, a folder around it, or a pattern with *.",
        FILES,
    )
    files = texts(
        "--file", "FILE", "Change this file or folder; every other argument is KEY=VALUE then.", FILES, complete="files"
    )
    require = Declared(
        "--require",
        0,
        "Exit with 2 where fewer than N cloud.confs are found.",
        section=FILES,
        type=click.IntRange(0),
        metavar="N",
    )
    config_file = text(
        "--config",
        "FILE",
        "ccmcheck's own configuration, for every file. Default: the ccmcheck.toml nearest to each file.",
        FILES,
        complete="files",
    )
    no_config = flag("--no-config", "Read no configuration of ccmcheck.", FILES)
    exclude = texts("--exclude", "GLOB", "Leave out files and folders below PATH.", FILES)
    variables = texts("--var", "NAME=VALUE", "Value of a template variable ${NAME}.", FILES)
    env_files = texts(
        "--env-file",
        "FILE",
        "Values of template variables: NAME=VALUE lines, or a clusterctl.yaml.",
        FILES,
        complete="files",
    )
    stdin_filename = text("--stdin-filename", "NAME", "Name for standard input in messages.", FILES)
    is_template = either(
        "--template/--final", "Whether something still renders the files later. Default: by name and content.", FILES
    )
    max_size: Declared[int | None] = Declared(
        "--max-size", None, "Do not read files above this size. Default: 10MiB.", section=FILES, type=SizeType()
    )

    # Output
    fail_on: Declared[Severity | None] = Declared(
        "--fail-on", None, "Exit with 1 from this severity on.", section=OUTPUT, type=SeverityType()
    )
    max_findings = number(
        "--max-findings",
        "Show at most N findings, the worst; 0 shows all. Default: 200 as text and Markdown, else all. Not for junit, "
        "gitlab and checkstyle, which hold all.",
        OUTPUT,
    )
    statistics = flag(
        "--statistics", "Count the findings of each rule instead of showing them; as text, Markdown or JSON.", OUTPUT
    )
    quiet = flag("-q, --quiet", "Print no notes and no summary line.", OUTPUT)
    verbose = Declared("-v, --verbose", 0, "Print more; -vv prints all there is.", section=OUTPUT, count=True)
    formats = texts("--format", "FORMAT", "{}.", OUTPUT)
    output = text("-o, --output", "PATH", "Write to this file instead of standard output (-).", OUTPUT)
    output_files = texts("--output-file", "FORMAT=PATH", "Also write this format to a file; repeatable.", OUTPUT)
    with_secrets = flag("--with-secrets", "Do not mask secrets in the output.", OUTPUT)
    color = choice(
        "--color", ["auto", "always", "never"], "Default: auto, which follows NO_COLOR and the terminal.", OUTPUT
    )

    # Other
    jobs = number("--jobs", "How many processes. Default: as many as pay off.", OTHER, least=1)
    cache_dir = text(
        "--cache-dir",
        "DIR",
        "Keep results for the next run here. Default: ccmcheck in the user's cache folder; none where CI is set.",
        OTHER,
    )
    no_cache = flag("--no-cache", "Judge every file, and keep nothing.", OTHER)
    clear_cache = flag("--clear-cache", "Forget what earlier runs kept, before this one.", OTHER)

    # Of one command
    revisions = text(
        "--git", "REV..REV", "Compare two revisions, below PATH; one revision alone is compared with the work tree."
    )
    service_paths = texts(
        "--services",
        "PATH",
        "Manifests of Services, Nodes and workloads that are the same on both sides; a cloud.conf, too, where the "
        "sides have none.",
        complete="files",
    )
    question = choice(
        "--question",
        ["create-monitor"],
        "Answer for PATH... whether create-monitor should be on there; with BASE HEAD or --git for HEAD, besides.",
    )
    set_only = flag("--set-only", "Only the keys that the file sets.")
    clouds = text("--clouds", "FILE", "The clouds.yaml. Default: where openstacksdk looks for it.")
    cloud_name = text("--cloud", "NAME", "The cloud in it. Default: OS_CLOUD, or the only one there is.")
    region = text("--region", "NAME", "The cloud's region. Default: its first.")
    assignments = texts("--set", "[SECTION.]KEY=VALUE", "A setting, over all others.")
    name = text("--name", "NAME", "The object's name. Default: as in the CCM's manifests.")
    namespace = text("--namespace", "NAME", "The object's namespace. Default: likewise.")
    enforce = flag("--enforce", "admission: refuse Services; without it, only warn and audit.")
    template_dir = text("--template-dir", "DIR", "Your own templates; they win over those of the same file name.")
    template: Declared[str] = Declared("", "", metavar="TEMPLATE")
    topic: Declared[str | None] = Declared("", None, required=False, complete="guides")
    action: Declared[str] = Declared("", "", type=click.Choice(["show", "schema"]))
    names: Declared[tuple[str, ...]] = Declared(
        "", (), nargs=-1, required=True, metavar="NAME... [PATH]...", complete="topics"
    )
    profile_names: Declared[tuple[str, ...]] = Declared("", (), nargs=-1, metavar="[NAME|FILE]...", complete="profiles")
    words: Declared[tuple[str, ...]] = Declared(
        "", (), nargs=-1, metavar="[FILE]... [--] [[SECTION.]KEY=VALUE]...", complete="assignments"
    )
    after_dashes: Declared[tuple[str, ...] | None] = Declared("", None)

    @property
    def inputs(self) -> Given:
        """What says how files are read."""
        given: Given = self._values.get("inputs", self)
        return given

    @property
    def outputs(self) -> Given:
        """What says where reports go."""
        given: Given = self._values.get("outputs", self)
        return given

    @cached_property
    def standards(self) -> Standards:
        """The profiles of ``--profile``, read once: one may be a pipe.

        Raises:
            WrongUse: There is no profile of a name.
            BadConfiguration: One cannot be used.
        """
        return load_profiles(self.profiles)

    @cached_property
    def cloud(self) -> CloudArguments:
        """What the options say about the cloud and the cluster."""
        resolved: CloudArguments | None = self._values.get("cloud")
        return resolved or CloudArguments(
            ClusterFacts(
                octavia_release=self.octavia_release,
                ovn_octavia_release=self.ovn_octavia_release,
                kubernetes_version=self.kubernetes_version,
                cluster_name=self.cluster_name,
                nodes=self.nodes,
                topology=TOPOLOGIES.get(self.topology or "", ""),
                monitor_quota=self.monitor_quota,
                monitors_used=self.monitors_used,
            ),
            self.replicas,
            self.standards,
        )

    @property
    def assumptions(self) -> AssumptionArguments:
        """What no file says and the matrix of create-monitor asks for."""
        return AssumptionArguments(self.client_ip, self.strict_mtls, self.stable_node_set, self.probe_budget)


GROUPS = {
    "INPUTS": "config_file no_config exclude variables env_files stdin_filename is_template max_size",
    "OUTPUTS": "formats output output_files color",
    "CLOUD": "octavia_release ovn_octavia_release kubernetes_version cluster_name nodes replicas topology "
    "monitor_quota monitors_used profiles",
    "ASSUMPTIONS": "client_ip strict_mtls stable_node_set probe_budget",
}
"""Options that go together, by the name that commands use for all of them."""


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


def listed(formats: Collection[str], default: str) -> str:
    """What the help of ``--format`` says of a command's formats."""
    *most, last = formats
    return f"{', '.join(most)} or {last}. Default: {default}" if most else f"{last}. Default: {default}"


InputArguments = Given
OutputArguments = Given
CONSUMER = Given.consumer
SELECT, IGNORE, FAIL_ON = Given.select, Given.ignore, Given.fail_on
MAX_FINDINGS, STATISTICS = Given.max_findings, Given.statistics
OCTAVIA_RELEASE, KUBERNETES_VERSION = Given.octavia_release, Given.kubernetes_version
COLOR, QUIET, VERBOSE, JOBS = Given.color, Given.quiet, Given.verbose, Given.jobs
CHECK, CONFIG, NO_CONFIG = Given.check, Given.config_file, Given.no_config
SUPPRESSIONS = (Given.baseline, Given.write_baseline, Given.no_suppress)


def release_option(default: str) -> Callable[[Function], Function]:
    """``--release``, by what a command judges without it."""
    return Given.releases.saying(default)


def nodes_option(default: str) -> Callable[[Function], Function]:
    """``--nodes``, by which Nodes count without it."""
    return Given.nodes.saying(default)


def profile_option(purpose: str) -> Callable[[Function], Function]:
    """``--profile``, by what a command uses it for."""
    return Given.profiles.saying(purpose)


input_options = as_record(
    "inputs", Given, *(getattr(Given, name) for name in GROUPS["INPUTS"].split()), fields=GROUPS["INPUTS"].split()
)
"""Gives the command ``inputs``, a `Given`."""


def output_options(
    formats: Collection[str], default: str = "text"
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """``--format``, ``--output``, ``--output-file``, ``--color``; gives the command ``outputs``, a `Given`."""
    names = GROUPS["OUTPUTS"].split()
    return as_record(
        "outputs",
        Given,
        Given.formats.saying(listed(formats, default), type=FormatType(formats)),
        *(getattr(Given, name) for name in names[1:]),
        fields=names,
    )
