"""Every option, declared once: its spelling, its help, the type of its value; `ccmcheck help options` is made from it.

A command names those that it takes, and reads their values as attributes of `Given`.

What the options say about the cloud and the cluster, as records.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import click

from ccmcheck.base.cluster_facts import TOPOLOGIES, ClusterFacts, merge
from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.given import Declared, Values, choice, either, flag, number, text, texts, word
from ccmcheck.cli.option_types import SeverityType, SizeType, refuse_nan

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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


STDIN = "-"
"""Standard input where a file is read, standard output where one is written."""
PATCH_FORMATS = ("json", "merge", "strategic", "kustomize", "clusterclass", "git")


class Given(Values):
    """What a command line says."""

    paths: Declared[tuple[str, ...]] = Declared((), nargs=-1)
    required_paths: Declared[tuple[str, ...]] = Declared((), nargs=-1, required=True)

    # Change
    write = flag()
    octavia = flag()
    diff = flag()
    check = flag()
    output_dir = text()
    patch_format = choice(PATCH_FORMATS)
    unsafe = flag()
    unset = texts()

    # Rules
    select = texts()
    ignore = texts()
    baseline = text()
    write_baseline = text()
    no_suppress = flag()

    # Releases
    releases = texts()
    consumer = text()
    reader = text()
    old = text()
    new = text()

    # Cloud and cluster
    octavia_release = word()
    ovn_octavia_release = word()
    kubernetes_version = word()
    cluster_name = word()
    nodes = number(most=10000)
    replicas = number()
    topology = choice(list(TOPOLOGIES))
    monitor_quota = number(least=-1)
    monitors_used = number()
    profiles = texts()

    os_cloud = word()
    agrees = flag()

    client_ip = either()
    strict_mtls = either()
    stable_node_set = either()
    probe_budget: Declared[float | None] = Declared(None, type=click.FloatRange(0, min_open=True), callback=refuse_nan)

    # Files and configuration
    cloud_config = text()
    config_from = text()
    diff_base = word()
    deployments = texts()
    files = texts()
    require = Declared(0, type=click.IntRange(0))
    config_file = text()
    no_config = flag()
    exclude = texts()
    variables = texts()
    env_files = texts()
    stdin_filename = text()
    is_template = either()
    max_size: Declared[int | None] = Declared(None, type=SizeType())

    # Output
    fail_on: Declared[Severity | None] = Declared(None, type=SeverityType())
    max_findings = number()
    statistics = flag()
    quiet = flag()
    verbose = Declared(0, count=True)
    formats = texts()
    output = text()
    output_files = texts()
    with_secrets = flag()
    color = choice(["auto", "always", "never"])

    # Other
    jobs = number(least=1)
    cache_dir = text()
    no_cache = flag()
    clear_cache = flag()

    # Of one command
    revisions = text()
    service_paths = texts()
    question = choice(["create-monitor"])
    set_only = flag()
    clouds = text()
    cloud_name = text()
    region = text()
    assignments = texts()
    name = text()
    namespace = text()
    enforce = flag()
    template_dir = text()
    template: Declared[str] = Declared("")
    topic: Declared[str | None] = Declared(None, required=False)
    action: Declared[str] = Declared("", type=click.Choice(["show", "schema"]))
    names: Declared[tuple[str, ...]] = Declared((), nargs=-1, required=True)
    profile_names: Declared[tuple[str, ...]] = Declared((), nargs=-1)
    words: Declared[tuple[str, ...]] = Declared((), nargs=-1)
    after_dashes: Declared[tuple[str, ...] | None] = Declared(None)

    @property
    def inputs(self) -> Given:
        """What says how files are read; nothing renders what an API server holds, where no option asks for it."""
        return self if self.takes("is_template") else self.but(is_template=False)

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
    def assumes(self) -> bool:
        """Whether it says what no file says and the matrix of create-monitor asks for."""
        assumed = (self.client_ip, self.strict_mtls, self.stable_node_set, self.probe_budget)
        return any(value is not None for value in assumed)


GROUPS: dict[str, str] = dict(read_table(__file__, "option_groups.tsv"))
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
