"""Runs the exec plug-in of a kubeconfig where that is allowed: within a time limit, without a terminal, unheard.

Source: client.authentication.k8s.io/v1, https://kubernetes.io/docs/reference/access-authn-authz/authentication/.
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any, cast

from ccmcheck.cluster.access.kubeconfig import ALLOWLIST, KubeconfigEntry, Trust, Unusable
from ccmcheck.cluster.core import NamedTuple, budget

if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen


_MOST_BYTES = 1024 * 1024
_AT_A_TERMINAL = 300.0
"""Seconds for somebody to log in."""
_NOTHING = "the kubeconfig's exec plug-in gave no credentials"
_TOLD = ("certificate-authority-data", "tls-server-name")
_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")


class Issued(NamedTuple):
    """What a plug-in gave.

    Attributes:
        token: A bearer token; empty without one.
        certificate: A client certificate as PEM; empty without one.
        key: Its key as PEM.
    """

    token: str
    certificate: bytes
    key: bytes

    def __repr__(self) -> str:
        return "<Issued>"


def run(plugin: Mapping[str, Any], server: str, cluster: KubeconfigEntry, folder: str, trust: Trust) -> Issued:
    """Run a plug-in.

    Args:
        plugin: ``exec`` of the kubeconfig's user.
        server: The API server's URL.
        cluster: The kubeconfig's cluster.
        folder: The folder of the kubeconfig; empty for one that is no file.
        trust: What is allowed.

    Raises:
        Unusable: It is not allowed, or gives no credentials in time.
    """
    import json

    version = plugin.get("apiVersion")
    words = plugin.get("args")
    arguments = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    program = _program(plugin, arguments, folder, trust)
    if version not in _VERSIONS:
        raise Unusable("the kubeconfig's exec plug-in has an apiVersion that is not supported")
    has_terminal = trust.is_full and plugin.get("interactiveMode") != "Never" and _is_terminal()
    info: dict[str, Any] = {"interactive": has_terminal}
    if plugin.get("provideClusterInfo") is True:
        info["cluster"] = {
            "server": server,
            **{key: cluster.text(key) for key in _TOLD if cluster.text(key)},
        }
        config = _config(cluster) if trust.is_full else None
        if config is not None:
            info["cluster"]["config"] = config
    # a variable can make a program run another one: BASH_ENV, PYTHONSTARTUP, LD_PRELOAD
    environment = {**os.environ, **(_variables(plugin) if trust.is_full else {})}
    environment["KUBERNETES_EXEC_INFO"] = json.dumps({"apiVersion": version, "kind": "ExecCredential", "spec": info})
    seconds = _AT_A_TERMINAL if has_terminal else trust.seconds
    return _issued(_output([program, *arguments], environment, folder, seconds, quiet=not has_terminal), version)


def _is_terminal() -> bool:
    """Whether a plug-in can ask somebody to log in."""
    import sys

    try:
        return sys.stdin.isatty() and sys.stderr.isatty()
    except (AttributeError, ValueError):  # none, or closed
        return False


def _config(cluster: KubeconfigEntry) -> object:
    """What the kubeconfig's cluster holds for the plug-in; None without it."""
    for extension in cluster.values.get("extensions") or ():
        if isinstance(extension, dict) and extension.get("name") == "client.authentication.k8s.io/exec":
            return extension.get("extension")
    return None


def _program(plugin: Mapping[str, Any], arguments: list[str], folder: str, trust: Trust) -> str:
    """The path of the program, where the policy allows it with its arguments."""
    from shutil import which

    command = plugin.get("command")
    if not isinstance(command, str) or not command:
        raise Unusable("the kubeconfig's exec plug-in has no command")
    if not trust.is_full and trust.policy != ALLOWLIST:
        raise Unusable(
            "the kubeconfig runs a program to get its credentials (exec), which is not allowed",
            "Trust it with --exec-policy Allowlist --exec-plugin NAME, or give ccmcheck credentials of its own.",
        )
    if os.sep in command and not os.path.isabs(command):
        if not folder or not trust.is_full:
            raise Unusable("the kubeconfig's exec plug-in is a relative path, which is not allowed here")
        command = os.path.join(folder, command)
    program = which(command)
    if trust.policy == ALLOWLIST:
        allowed = [patterns for name, *patterns in trust.plugins if program is not None and which(name) == program]
        if not allowed:
            raise Unusable(
                "the kubeconfig's exec plug-in is not among those of --exec-plugin",
                "Allow it with --exec-plugin NAME, where you know the program.",
            )
        if not any(_match(arguments, patterns) for patterns in allowed):
            raise Unusable(
                "the arguments of the kubeconfig's exec plug-in are not those of --exec-plugin",
                "Write them behind the name, with * for what differs: --exec-plugin 'NAME get-token --cluster *'.",
            )
    if program is None:
        raise Unusable("the kubeconfig's exec plug-in is not installed here")
    return program


def _match(arguments: list[str], patterns: list[str]) -> bool:
    """Whether each argument matches the pattern in its place; what begins like an option is none of a plain ``*``."""
    from fnmatch import fnmatchcase

    return len(arguments) == len(patterns) and all(
        fnmatchcase(word, pattern) and word.startswith("-") <= pattern.startswith("-")
        for word, pattern in zip(arguments, patterns, strict=True)
    )


def _variables(plugin: Mapping[str, Any]) -> dict[str, str]:
    pairs = plugin.get("env")
    return {
        pair["name"]: pair["value"]
        for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, dict) and isinstance(pair.get("name"), str) and isinstance(pair.get("value"), str)
    }


def _output(command: list[str], environment: Mapping[str, str], folder: str, seconds: float, *, quiet: bool) -> bytes:
    """What the program writes to standard output; what it writes to standard error may hold a token, and is dropped.

    At a terminal it may ask somebody to log in.
    """
    from subprocess import DEVNULL, PIPE, TimeoutExpired

    ends = DEVNULL if quiet else None
    try:  # what it starts ends with it; one that asks needs the terminal
        with budget.started(
            command, group=quiet, stdin=ends, stdout=PIPE, stderr=ends, env=environment, cwd=folder or None
        ) as program:
            output = _read(program, seconds)
    except TimeoutExpired:
        raise Unusable(f"the kubeconfig's exec plug-in took longer than {seconds:.0f} s") from None
    except (OSError, ValueError):
        raise Unusable("the kubeconfig's exec plug-in cannot be started") from None
    if len(output) > _MOST_BYTES:
        raise Unusable(_NOTHING)
    if program.returncode:
        raise Unusable("the kubeconfig's exec plug-in failed", "`kubectl --context NAME get namespaces` shows why.")
    return output


def _read(program: Popen[bytes], seconds: float) -> bytes:
    """What a program writes until it ends, or until it is too much.

    Raises:
        TimeoutExpired: It takes too long.
    """
    import threading
    import time
    from subprocess import TimeoutExpired

    pieces: list[bytes] = []

    def read() -> None:
        with cast("IO[bytes]", program.stdout) as stream:
            pieces.append(stream.read(_MOST_BYTES + 1))

    ends = time.monotonic() + seconds
    reader = threading.Thread(target=read, daemon=True)  # what the program left behind may hold the pipe open
    reader.start()
    reader.join(seconds)
    if not pieces:
        raise TimeoutExpired(program.args, seconds)
    if len(pieces[0]) <= _MOST_BYTES:
        program.wait(max(ends - time.monotonic(), 0))
    return pieces[0]


def _issued(output: bytes, version: object) -> Issued:
    import json

    try:
        answer = json.loads(output)
    except (ValueError, RecursionError):
        answer = None
    status = answer.get("status") if isinstance(answer, dict) and answer.get("apiVersion") == version else None
    values = {
        key: status[key] if isinstance(status, dict) and isinstance(status.get(key), str) else ""
        for key in ("token", "clientCertificateData", "clientKeyData")
    }
    issued = Issued(values["token"].strip(), values["clientCertificateData"].encode(), values["clientKeyData"].encode())
    if not issued.token and not issued.certificate:
        raise Unusable(_NOTHING)
    return issued
