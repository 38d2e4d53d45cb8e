"""What is behind a Service: whether it expects a PROXY header at each connection, as far as manifests tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ccmcheck.carriers.base import Listening
from ccmcheck.catalog.data.proxy_listeners import LISTENERS, ProxyListener
from ccmcheck.predict.inputs.fields import Opaque, at

_NAMESPACE = re.compile(r"\A\$\(\w*NAMESPACE\w*\)(?=/)")
_SCRIPT = re.compile(r"(?m)(?:^|[/.])(?:ba|da|a)?sh$|^\$\(")
"""A script or a variable in the place of arguments: what the program is called with is not known."""


def _listening(
    rows: Collection[ProxyListener], texts: Iterable[object], program: str, reads: tuple[str, ...], *, is_open: bool
) -> Listening:
    known = list(texts)
    text = "\n".join(str(one) for one in known if not isinstance(one, Opaque))
    on, off = (tuple(row.name for row in rows if re.search(getattr(row, part), text)) for part in ("on", "off"))
    has_more = any(re.search(row.other, text) for row in rows) or any(isinstance(one, Opaque) for one in known)
    return Listening(program, on, off, reads, is_open or has_more)


def of_config_map(config_map: object, *, is_whole: bool) -> Listening:
    """The settings in a ConfigMap.

    Args:
        config_map: It as plain data.
        is_whole: Whether rendering adds nothing to it.
    """
    data = at(config_map, "data")
    pairs = data.items() if isinstance(data, dict) else ()
    texts = (Opaque() if isinstance(value, Opaque) else _setting(name, value) for name, value in pairs)
    is_open = not is_whole or isinstance(data, Opaque) or at(config_map, "binaryData") is not None
    return _listening(LISTENERS.values(), texts, "", (), is_open=is_open)


def of_pod(pod: object, namespace: str, *, is_whole: bool) -> Listening | None:
    """The settings of the program in a pod; None where it is none of `LISTENERS`, or not alone in the pod.

    What stands beside it may take the header, or write its files.

    Args:
        pod: Its spec as plain data.
        namespace: Its namespace.
        is_whole: Whether rendering adds nothing to it.
    """
    containers = _listed(pod, "containers")
    image = str(at(containers[0], "image")) if len(containers) == 1 and not at(pod, "initContainers") else ""
    row = next((row for row in LISTENERS.values() if re.search(row.image, image)), None)
    if row is None:
        return None
    container = containers[0]
    fields = [at(container, name) for name in ("command", "args", "env", "volumeMounts")]
    variables, mounts = (_listed(container, name) for name in ("env", "volumeMounts"))
    words = [word for name in ("command", "args") for word in _listed(container, name)]
    texts = [*words, *(f"{at(one, 'name')}={at(one, 'value')}" for one in variables)]
    texts += [at(one, "mountPath") for one in mounts]
    text = "\n".join(map(str, texts))
    flags = re.findall(rf"(?m)^--?{row.flag}[=\n ]+(\S+)", text) if row.flag else []
    named = [_NAMESPACE.sub(namespace, name).removeprefix(f"{namespace}/") for name in flags]
    files = [_config_map(pod, one) for one in mounts if re.match(row.mounted, str(at(one, "mountPath")))]
    reads = (*named, *files)
    is_open = (
        not is_whole
        or not all(name and "/" not in name for name in reads)
        or len(reads) > 1
        or (row.needs_file and not files)
        or _SCRIPT.search(text) is not None
        or any(at(container, name) is not None for name in ("envFrom", "workingDir"))
        or any(isinstance(one, Opaque) for one in (*fields, *(at(one, "value") for one in variables)))
    )
    return _listening((row,), texts, row.name, reads, is_open=is_open)


def _setting(name: str, value: object) -> str:
    return f"{name}: {value}" if "\n" not in str(value) else f"{name}:\n{value}"


def _listed(data: object, name: str) -> list[object]:
    listed = at(data, name)
    return listed if isinstance(listed, list) else []


def _config_map(pod: object, mount: object) -> str:
    """The name of the ConfigMap that is mounted; empty for another volume."""
    volumes = (one for one in _listed(pod, "volumes") if at(one, "name") == at(mount, "name"))
    return next((str(at(one, "configMap", "name") or "") for one in volumes), "")
