"""What files hold, taken together, for whatever predicts from it: Services, Nodes, workloads, cloud.confs, CCM pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import Bundle, Carried, CcmPod
    from ccmcheck.carriers.objects import Object
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud import Node
    from ccmcheck.predict.inputs.options import Options

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

    def texts(self, *named: Config) -> list[str]:
        """Every text that something was found in, for `ccmcheck.redact.report.redact_report`; some several times.

        Args:
            named: Configurations that may lie elsewhere.
        """
        beside = [one.carried.text for one in named if one.carried is not None]
        return [*(one.level.written for _, one in self.objects), *(one.text for _, one in self.carried), *beside]

    @property
    def for_ccm(self) -> list[Config]:
        """The cloud.confs that the CCM may be the reader of."""
        return [
            Config(where, f"{where} › {one.route}" if one.route else where, one)
            for where, one in self.carried
            if not one.consumers or "ccm" in one.consumers
        ]

    def take(self, path: str, data: bytes, options: FindOptions) -> None:
        """Look through one file.

        Args:
            path: What to call it.
            data: Its bytes.
            options: How it is searched.
        """
        from ccmcheck.base import text
        from ccmcheck.carriers import find

        contents = find(path, text.decode(data).text, options)
        self.objects.extend((path, one) for one in contents.objects)
        self.carried.extend((path, one) for one in contents.carried)
        self.pods.extend(contents.pods)
        self.failures.extend(contents.broken)


def is_worth_taking(data: bytes, path: str) -> bool:
    """Whether a file of a folder may hold anything that a prediction asks for.

    Args:
        data: Its bytes.
        path: Its path.
    """
    from ccmcheck.carriers import worth_parsing

    return worth_parsing(data, path) or any(word in data for word in _WORTH)


def look(paths: Sequence[str], options: FindOptions, max_size: int, found: Looked) -> None:
    """Read all files.

    Args:
        paths: Files, folders, patterns.
        options: How they are searched.
        max_size: Bytes above which a file is not read.
        found: Takes what they hold.
    """
    from ccmcheck.base.result import Failure
    from ccmcheck.workspace import discover

    for target in discover.discover(paths, discover.DiscoverOptions(max_size=max_size)):
        if isinstance(target, Failure):
            found.failures.append(target)
            continue
        read = discover.read(target, max_size, is_worth_taking)
        if isinstance(read, Failure):
            found.failures.append(read)
        elif read is not None:
            found.take(target.path, read, options._replace(explicit=target.explicit))


def options_at(config: Config, judged: TargetRelease, bundle: Bundle) -> Options:
    """The configuration as one release reads it.

    Args:
        config: The cloud.conf.
        judged: The release.
        bundle: What is known around it.
    """
    from ccmcheck import catalog
    from ccmcheck.conf.reading import read
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.gcfg import parse
    from ccmcheck.predict.inputs.options import options_of, read_options
    from ccmcheck.redact.masker import Masker

    carried = config.carried
    if carried is None:
        return read_options("[LoadBalancer]\nlb-version =\n", judged.release)
    schema = catalog.schema(judged.release)
    document = parse(carried.stack.inner)
    found = options_of(CloudConf(carried, document, read(document, schema), schema, judged.release, bundle))
    scrub = Masker(carried.text).scrub
    return found._replace(stop=scrub(found.stop), unsupported=scrub(found.unsupported))


def stand_ins(count: int) -> tuple[Node, ...]:
    """Nodes that are only counted: names and documentation addresses of both families.

    Args:
        count: How many.
    """
    from ccmcheck.predict.inputs.cloud import Node

    found = []
    for number in range(1, count + 1):
        four = f"192.0.2.{number}" if number <= _MOST_NAMED else f"198.18.{number >> 8 & 255}.{number & 255}"
        found.append(
            Node(f"node-{number}", (("InternalIP", four), ("InternalIP", f"2001:db8::{number:x}")), {"": ""}, "", None)
        )
    return tuple(found)
