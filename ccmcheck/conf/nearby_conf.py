"""A cloud.conf as other files' rules may keep it: what it says of load balancers, its secrets apart from that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.path_proximity import HasPath, folder_of, nearest, upward
from ccmcheck.base.uuids import UUID
from ccmcheck.carriers.base import CarriedConf, CcmPod, NearbyConf
from ccmcheck.carriers.mounted import Mounted
from ccmcheck.carriers.prefilter import CHART_FILE
from ccmcheck.catalog import fold
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.item import are_of_others
from ccmcheck.gcfg import parse
from ccmcheck.redact.run_secrets import distinct_secrets

_LETTER = "x"
_PROJECT_KEYS = (
    "auth-url", "region", "tenant-id", "tenant-name", "tenant-domain-id", "tenant-domain-name", "domain-id",
    "domain-name",
)  # fmt: skip
"""What tells one project of one cloud from another."""
_CREDENTIAL = "application-credential-id"
_LOGIN_KEYS = (_CREDENTIAL, "password")
_VERSION = lazy_regex(r"/*(?:v3/*)?\Z")
_GAP = lazy_regex(r"(?m)[:=][ \t]{0,8}[\"']?<[A-Za-z_][^<>\n]{0,80}>[\"']?[ \t]{0,8}(?:[#;]|\r?$)")
"""A value of YAML or of an INI that whoever copies the file writes: ``subnet-id: <subnet-id>``."""


class WorkloadIndex:
    """Answers which of the CCM's workloads may read a cloud.conf, for many of both.

    Those are the nearest, but none in a folder beside with a cloud.conf of its own.

    Args:
        pods: All workloads.
        near: Gives the cloud.confs that are nearest to a file.
    """

    def __init__(self, pods: Sequence[CcmPod], near: Callable[[str], Sequence[HasPath]]) -> None:
        self.pods = pods
        self._near = near
        self._in_folder: dict[str, list[int]] = {}
        self._beside: dict[str, list[int]] = {}
        for number, pod in enumerate(pods):
            self._in_folder.setdefault(folder_of(pod.path), []).append(number)
            for path in {conf.path for conf in near(pod.path)}:
                self._beside.setdefault(path, []).append(number)

    def of(self, conf: HasPath) -> list[CcmPod]:
        """The workloads of one cloud.conf, in their order."""
        numbers = {number for folder in upward(folder_of(conf.path)) for number in self._in_folder.get(folder, ())}
        beside = self._beside.get(conf.path, ())
        numbers.update(number for number in beside if conf in self._near(self.pods[number].path))
        pods = nearest(conf.path, [self.pods[number] for number in sorted(numbers)])
        subject = getattr(conf, "subject", "")
        return [pod for pod in pods if subject and pod.object == subject] or pods  # what its chart makes


def installed(workloads: Sequence[CcmPod], tags: Sequence[CcmPod]) -> list[CcmPod]:
    """What runs or installs a CCM: workloads and charts, and those of the tags that are a command's."""
    return [pod for pod in (*workloads, *(tag for tag in tags if tag.is_script)) if not pod.is_example]


def alone(pods: Sequence[CcmPod], near: Callable[[str], Sequence[HasPath]]) -> list[CcmPod]:
    """The workloads that read none of the cloud.confs nearest to them, each of which has a nearer workload.

    A chart beside a cloud.conf that its values hold is what those install, and so is a command's with them in its file.

    Args:
        pods: All workloads.
        near: Gives the cloud.confs that are nearest to a file.
    """
    confs = {(conf.path, id(conf)): conf for pod in pods for conf in near(pod.path)}
    index = WorkloadIndex(pods, near)
    reading = {id(pod) for conf in confs.values() for pod in index.of(conf)}
    folders = {folder_of(conf.path) for conf in confs.values()}
    charts = {id(pod) for pod in pods if pod.path.endswith(CHART_FILE) and folder_of(pod.path) in folders}
    told = {pod.path for pod in pods if pod.made_by and id(pod) in reading}
    charts |= {id(pod) for pod in pods if pod.is_script and pod.path in told}
    return [pod for pod in pods if id(pod) not in reading | charts]


def is_for_ccm(carried: CarriedConf) -> bool:
    """Whether the CCM may read a cloud.conf, by its known readers and its sections; one in a document is an example."""
    if is_document(carried.path) or (carried.consumers and "ccm" not in carried.consumers):
        return False
    return not are_of_others(section.name for section in parse(carried.stack.inner).sections)


def may_be_driver_conf(carried: CarriedConf) -> bool:
    """Whether the Cinder CSI driver may read a cloud.conf: its own, or that of the CCM."""
    readers = carried.consumers or (CINDER_CSI,)
    return not is_document(carried.path) and ("ccm" in readers or CINDER_CSI in readers)


def read_by_drivers(confs: Sequence[CarriedConf], ccms: Mounted, drivers: Mounted, *, alone: bool) -> list[CarriedConf]:
    """Cloud.confs, the Cinder CSI driver the reader of those that it alone mounts and that have nothing of the CCM.

    Args:
        confs: They.
        ccms: What workloads of the CCM mount.
        drivers: What those of the driver mount.
        alone: Whether no file installs a CCM: then sections that both have are the driver's, too.
    """

    def is_the_drivers(carried: CarriedConf) -> bool:
        is_open = not carried.consumers and drivers.mounts(carried) and not ccms.mounts(carried)
        sections = parse(carried.stack.inner).sections if is_open else ()
        return is_open and are_of_others([section.name for section in sections], or_shared=alone)

    return [one._replace(consumers=(CINDER_CSI,)) if is_the_drivers(one) else one for one in confs]


def _identity(text: str, marks: tuple[Span, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cloud and the project that a cloud.conf names, and the cloud and the application credential.

    Both are empty where clouds.yaml or a template names them. With a password, the CCM does not use the credential.
    """
    values: dict[str, str] = {}
    for section in parse(text).sections:
        if fold(section.name) != "global" or section.subsection is not None:
            continue
        for entry in section.entries:
            name = fold(entry.key)
            if name not in _PROJECT_KEYS and name not in _LOGIN_KEYS:
                continue
            if not entry.sound or any(mark.start < entry.end and mark.end > entry.key_start for mark in marks):
                return (), ()
            values[name] = entry.value or ""
    if not values.get("auth-url"):
        return (), ()
    values["auth-url"] = _VERSION.sub("", values["auth-url"].lower())
    has_project = values.get("tenant-id") or values.get("tenant-name")
    credential = values.get(_CREDENTIAL, "")
    return (
        tuple(values.get(key, "") for key in _PROJECT_KEYS) if has_project else (),
        (values["auth-url"], values.get("region", ""), credential) if credential and not values.get("password") else (),
    )


def _router(text: str, marks: tuple[Span, ...]) -> str:
    """The router of [Route]; empty for what is no ID."""
    entries = [
        entry
        for section in (parse(text).sections if "outer-id" in text and not marks else ())
        if fold(section.name) == "route"
        for entry in section.entries
        if fold(entry.key) == "router-id" and entry.sound
    ]
    value = entries[-1].value or "" if entries else ""
    return value if UUID.fullmatch(value) else ""


def nearby_conf(carried: CarriedConf) -> NearbyConf:
    """Keep what Services need of a cloud.conf.

    Args:
        carried: The cloud.conf.
    """
    from ccmcheck.conf.alternatives import undecided
    from ccmcheck.redact.masker import secret_spans  # most runs have no Services

    carried = undecided(carried)
    text = carried.stack.inner
    pieces: list[str] = []
    position = 0
    spans = secret_spans(text)
    for start, end in spans:
        if end <= position:
            continue
        low = max(start, position)
        pieces += (text[position:low], "\n".join(_LETTER * len(part) for part in text[low:end].split("\n")))
        position = end
    pieces.append(text[position:])
    masked = "".join(pieces)
    broken = masked != text and len(parse(text).stops) != len(parse(masked).stops)
    title = f"{carried.path} › {carried.route}" if carried.route else carried.path
    project, credential = _identity(masked, carried.marks)
    secrets = distinct_secrets(text, spans)
    own = NearbyConf(carried.path, title, masked, carried.marks, broken, project, secrets, credential)
    return own._replace(
        router=_router(masked, carried.marks),
        is_read=bool(carried.consumers),
        folders=carried.folders,
        place=carried.place,
        has_gaps=_GAP.search(carried.stack.text) is not None,
    )
