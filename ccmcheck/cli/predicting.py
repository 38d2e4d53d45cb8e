"""From the arguments of ``predict`` to what is predicted: files, cloud.confs, Services, nodes, releases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ccmcheck.cli.options import STDIN
from ccmcheck.errors import InputError, WrongUse
from ccmcheck.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import Bundle, Carried, CcmPod
    from ccmcheck.carriers.objects import Object
    from ccmcheck.predict.cloud import Node
    from ccmcheck.predict.options import Options
    from ccmcheck.releases import Judged
    from ccmcheck.result import Failure

_WORTH = (b"LoadBalancer", b"loadbalancer", b"Node", b"kind: Deployment", b"kind: StatefulSet", b"kind: DaemonSet")
"""What a file of a folder must say to be parsed for Services."""

_MOST_NAMED = 254


class Config(NamedTuple):
    """One cloud.conf to predict by.

    Attributes:
        path: The file; empty where the defaults stand in.
        title: The file and the route in it.
        carried: The cloud.conf; None where the defaults stand in.
    """

    path: str
    title: str
    carried: Carried | None


class Looked(NamedTuple):
    """What all files hold.

    Attributes:
        objects: The objects, with the file of each.
        carried: The cloud.confs, with the file of each.
        pods: The CCM's workloads.
        failures: What could not be read.
    """

    objects: list[tuple[str, Object]]
    carried: list[tuple[str, Carried]]
    pods: list[CcmPod]
    failures: list[Failure]


def look(paths: Sequence[str], options: FindOptions, stdin_filename: str | None, max_size: int) -> Looked:
    """Read all files.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: How they are searched.
        stdin_filename: What to call standard input.
        max_size: Bytes above which a file is not read.
    """
    from ccmcheck import discover, text
    from ccmcheck.carriers import find, worth_parsing
    from ccmcheck.result import Failure

    found = Looked([], [], [], [])

    def take(path: str, data: bytes, *, explicit: bool) -> None:
        contents = find(path, text.decode(data).text, options._replace(explicit=explicit))
        found.objects.extend((path, one) for one in contents.objects)
        found.carried.extend((path, one) for one in contents.carried)
        found.pods.extend(contents.pods)
        found.failures.extend(contents.broken)

    if STDIN in paths:
        name = stdin_filename or "<stdin>"
        data = discover.within(name, sys.stdin.buffer.read(max_size + 1), max_size)
        if isinstance(data, Failure):
            found.failures.append(data)
        else:
            take(name, data, explicit=True)
    for target in discover.discover(
        [path for path in paths if path != STDIN], discover.DiscoverOptions(max_size=max_size)
    ):
        if isinstance(target, Failure):
            found.failures.append(target)
            continue
        # the folder's own choice is about cloud.confs; here Services count as well
        read = discover.read(target._replace(explicit=True), max_size)
        if isinstance(read, Failure):
            if target.explicit:
                found.failures.append(read)
        elif read is not None and (
            target.explicit or worth_parsing(read, target.path) or any(word in read for word in _WORTH)
        ):
            take(target.path, read, explicit=target.explicit)
    return found


def configs(path: str | None, looked: Looked, options: FindOptions, max_size: int) -> list[Config]:
    """The cloud.confs to predict by: the one that is named, else those among the files, else the defaults.

    Args:
        path: ``--config``.
        looked: What the files hold.
        options: How the named file is searched.
        max_size: Bytes above which it is not read.

    Raises:
        InputError: The named file cannot be read, or holds no cloud.conf.
        WrongUse: There are several, and none is named.
    """
    if path is not None:
        return [_named(path, options, max_size)]
    found = [
        Config(where, f"{where} › {one.route}" if one.route else where, one)
        for where, one in looked.carried
        if not one.consumers or "ccm" in one.consumers
    ]
    if len(found) > 1:
        raise WrongUse(
            f"there are {len(found)} cloud.confs among the files, the first in {found[0].title} and {found[1].title}",
            "Name one with --config FILE.",
        )
    return found or [Config("", "", None)]


def _named(path: str, options: FindOptions, max_size: int) -> Config:
    from ccmcheck import discover
    from ccmcheck.readout import confs
    from ccmcheck.result import Failure

    data: bytes | Failure | None
    if path == STDIN:
        name = "<stdin>"
        data = discover.within(name, sys.stdin.buffer.read(max_size + 1), max_size)
    else:
        name = path
        data = discover.read(discover.Target(path, explicit=True), max_size)
    if isinstance(data, Failure):
        raise InputError(f"{name}: {data.message}", data.hint)
    carried, _ = confs(name, data or b"", options)
    mine = [one for one in carried if not one.consumers or "ccm" in one.consumers]
    if not mine:
        raise InputError(
            f"there is no cloud.conf in {name}",
            "It has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
        )
    return Config(name, f"{name} › {mine[0].route}" if mine[0].route else name, mine[0])


def releases(config: Config, asked: Sequence[str], pods: Sequence[CcmPod]) -> tuple[Judged, ...]:
    """The releases to predict by: those asked for, else the CCM's image among the files, else the newest."""
    from ccmcheck.cli.options import judged
    from ccmcheck.releases import judged_by

    return judged_by(config.path, judged(asked, None), pods)


def options_at(config: Config, judged: Judged, bundle: Bundle) -> Options:
    """The configuration as one release reads it."""
    from ccmcheck import catalog
    from ccmcheck.gcfg import parse
    from ccmcheck.predict import options_of, read_options
    from ccmcheck.reading import read
    from ccmcheck.redact import Masker
    from ccmcheck.views import CloudConf

    carried = config.carried
    if carried is None:
        return read_options("[LoadBalancer]\nlb-version =\n", judged.release)
    schema = catalog.schema(judged.release)
    document = parse(carried.stack.inner)
    found = options_of(CloudConf(carried, document, read(document, schema), schema, judged.release, bundle))
    scrub = Masker(carried.text).scrub
    return found._replace(stop=scrub(found.stop), unsupported=scrub(found.unsupported))


def stand_ins(count: int) -> tuple[Node, ...]:
    """Nodes that are only counted: names and documentation addresses of both families."""
    from ccmcheck.predict.cloud import Node

    found = []
    for number in range(1, count + 1):
        four = f"192.0.2.{number}" if number <= _MOST_NAMED else f"198.18.{number >> 8 & 255}.{number & 255}"
        found.append(
            Node(f"node-{number}", (("InternalIP", four), ("InternalIP", f"2001:db8::{number:x}")), {"": ""}, "", None)
        )
    return tuple(found)
