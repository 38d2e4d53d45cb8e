"""What is behind a Service: whether it expects a PROXY header at each connection, as far as manifests tell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ccmcheck.carriers.base import Listening
from ccmcheck.catalog.data.proxy_listeners import LISTENERS, ProxyListener
from ccmcheck.predict.inputs.fields import Opaque, at

_NAMESPACE = re.compile(r"\A\$\(\w*NAMESPACE\w*\)(?=/)")


def _listening(
    program: str, texts: Iterable[object], reads: tuple[str, ...] = (), *, is_open: bool = False
) -> Listening:
    known = list(texts)
    text = "\n".join(one for one in known if isinstance(one, str))
    on = tuple(name for name, row in LISTENERS.items() if re.search(row.on, text))
    return Listening(program, on, reads, is_open or any(isinstance(one, Opaque) for one in known))


def of_config_map(data: object) -> Listening:
    """The settings in a ConfigMap.

    Args:
        data: Its ``data`` as plain data.
    """
    pairs = data.items() if isinstance(data, dict) else ()
    return _listening("", (Opaque() if isinstance(value, Opaque) else f"{name}: {value}" for name, value in pairs))


def of_pod(pod: object, namespace: str) -> Listening | None:
    """The settings of the program in a pod; None where it is none of `LISTENERS`, or there are several.

    Args:
        pod: Its spec as plain data.
        namespace: Its namespace.
    """
    found = [
        (row, one)
        for one in _listed(pod, "containers")
        for row in LISTENERS.values()
        if re.search(row.image, str(at(one, "image")))
    ]
    if len(found) != 1:
        return None
    row, container = found[0]
    variables = _listed(container, "env")
    words = [word for name in ("command", "args") for word in _listed(container, name)]
    texts = [*words, *(f"{at(one, 'name')}={at(one, 'value')}" for one in variables)]
    text = "\n".join(map(str, texts))
    flags = re.findall(rf"(?m)^--?{row.flag}[=\n ]+(\S+)", text) if row.flag else []
    named = [_NAMESPACE.sub(namespace, name).removeprefix(f"{namespace}/") for name in flags]
    files = [_config_map(pod, one) for one in _listed(container, "volumeMounts") if _is_read(row, at(one, "mountPath"))]
    reads = (*named, *files)
    is_open = (
        not all(name and "/" not in name for name in reads)
        or (row.needs_file and not files)
        or re.search(row.other or r"\Z\A.", text) is not None
        or at(container, "envFrom") is not None
        or any(isinstance(at(one, "value"), Opaque) for one in variables)
    )
    return _listening(row.name, texts, reads, is_open=is_open)


def _listed(data: object, name: str) -> list[object]:
    listed = at(data, name)
    return listed if isinstance(listed, list) else []


def _is_read(row: ProxyListener, path: object) -> bool:
    """Whether a program reads what is mounted at a path."""
    return bool(row.mounted) and re.match(row.mounted, str(path)) is not None


def _config_map(pod: object, mount: object) -> str:
    """The name of the ConfigMap that is mounted; empty for another volume."""
    volumes = (one for one in _listed(pod, "volumes") if at(one, "name") == at(mount, "name"))
    return next((str(at(one, "configMap", "name") or "") for one in volumes), "")
