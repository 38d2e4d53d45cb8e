"""Files that grow in number of one thing, where a careless loop over all of them for each of them would show.

Each row works in this process, on texts, as the command of its name does.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Collection
from contextlib import chdir, redirect_stderr, redirect_stdout
from contextvars import Context
from pathlib import Path
from typing import NamedTuple

from ccmcheck.api import LintOptions
from ccmcheck.carriers import FindOptions
from ccmcheck.fix.diff import differences
from ccmcheck.fix.patch import git
from ccmcheck.lint.engine import Linter

NO_OPTIONS = LintOptions()
ANY_VERDICT = (0, 1)


class Growing(NamedTuple):
    """One kind of file.

    Attributes:
        path: Its name.
        make: Its text with a count of what grows.
        work: What is done with it.
        size: How many of it take a fraction of a second.
    """

    path: str
    make: Callable[[int], str]
    work: Callable[[str, str], object]
    size: int


def lint(path: str, text: str) -> int:
    """Lint it, and count the findings."""
    return len(_linter().lint(path, text.encode(), explicit=True).findings)


def fix(path: str, text: str) -> int:
    """Make every fix, show what changes, and count the lines of that."""
    from ccmcheck.fix.passes import fix_text

    after = fix_text(path, text, _linter(), unsafe=True).after
    return len(list(differences(path, text, after, FindOptions())))


def patch(path: str, text: str) -> int:
    """Make every fix, write it as a patch of git's, and count its characters."""
    from ccmcheck.fix.passes import fix_text

    after = fix_text(path, text, _linter(), unsafe=True).after
    return len(git.make(path, text, after).text)


def lint_beside(path: str, text: str) -> str:
    """Lint it beside a cloud.conf, as the command does, and take what is said."""
    return command("lint", path, "cloud.conf", beside={path: text})


def predict(path: str, text: str) -> str:
    """Predict what the CCM asks of Octavia."""
    return command("predict", "--cloud-config", "cloud.conf", "--nodes", "20", path, beside={path: text})


def review(path: str, text: str) -> str:
    """Review a change of every port's protocol."""
    beside = {
        "a/cloud.conf": COMPLETE,
        "b/cloud.conf": COMPLETE,
        f"a/{path}": text,
        f"b/{path}": text.replace("TCP", "UDP").replace("RegionOne", "RegionTwo"),
    }
    return command("review", "a", "b", beside=beside)


def read(path: str, text: str) -> str:
    """Show what the CCM reads."""
    return command("read", path, beside={path: text})


def lint_as_text(path: str, text: str) -> str:
    """Lint it, as the command does."""
    return command("lint", path, beside={path: text})


def command(*arguments: str, beside: dict[str, str], codes: Collection[int] = ANY_VERDICT) -> str:
    """Run a command in a folder of files, and take what it says.

    Args:
        arguments: The command.
        beside: The files' texts by their paths; a cloud.conf is there, too.
        codes: The exit codes that are right.

    Raises:
        ValueError: It ended without a verdict, so what it took tells nothing.
    """
    from ccmcheck.cli.main import run

    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out), redirect_stderr(out):
        for name, text in {"cloud.conf": COMPLETE, **beside}.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding="utf-8")
        code = Context().run(run, arguments)  # with no secret of an earlier run, as in a process of its own
    out.seek(0)
    said = out.read()
    if code not in codes:
        raise ValueError(f"{' '.join(arguments)} ended with {code}: {said}")
    return said


def _linter() -> Linter:
    from ccmcheck import api

    settings, run_context = api._settings(NO_OPTIONS)
    return Linter(settings, run_context)


GLOBAL = "[Global]\nauth-url=https://keystone.example.net/v3\nregion=RegionOne\nuse-clouds=true\n"
COMPLETE = (
    GLOBAL
    + "[LoadBalancer]\nfloating-network-id=9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90\n"
    + "subnet-id=5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\nmanage-security-groups=true\n"
)
_BALANCER = GLOBAL + "[LoadBalancer]\n"


def _lines(head: str, line: str) -> Callable[[int], str]:
    return lambda count: head + "".join(line.format(number=number) for number in range(count))


NODE_PORTS = 2_768


def service(number: int, ports: int = 1, annotations: str = "", ranges: str = "") -> str:
    return (
        f"apiVersion: v1\nkind: Service\nmetadata:\n  name: web-{number}\n{annotations}spec:\n  type: LoadBalancer\n"
        f"  selector:\n    app: web\n{ranges}  ports:\n"
        + "".join(
            f"    - name: port-{port}\n      protocol: TCP\n      port: {port + 1}\n"
            # there are no more NodePorts, and findings about them would be another kind of work
            + (f"      nodePort: {30_000 + port}\n" if port < NODE_PORTS else "")
            for port in range(ports)
        )
    )


def services(count: int) -> str:
    return "---\n".join(service(number) for number in range(count))


def _annotated(count: int) -> str:
    lines = "".join(f'    loadbalancer.openstack.org/proxy-protocl{number}: "true"\n' for number in range(count))
    return service(1, annotations="  annotations:\n" + lines)


def _ranged(count: int) -> str:
    lines = "".join(f"    - 10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}/32\n" for number in range(count))
    return service(1, max(count // 60, 1), ranges="  loadBalancerSourceRanges:\n" + lines)


_IGNORED = "# ccmcheck: ignore[monitor-slow-for-local] agreed\nmonitor-delay = {number}\n"
_HEREDOC = "cat > /etc/a{number} <<'END'\n[Global]\na = {number}\nEND\n"
_CONF_HEREDOC = f"cat <<END\n{COMPLETE}END\n"

GROWING: dict[str, Growing] = {
    "repeated key, fix": Growing("cloud.conf", _lines(_BALANCER, "create-monitor=true\n"), fix, 1_000),
    "repeated key, patch": Growing("cloud.conf", _lines(_BALANCER, "create-monitor=true\n"), patch, 1_000),
    "bad durations with comments, fix": Growing("cloud.conf", _lines(_BALANCER, _IGNORED), fix, 3_000),
    "bad durations with comments, lint": Growing("cloud.conf", _lines(_BALANCER, _IGNORED), lint, 3_000),
    "bad booleans, fix": Growing("cloud.conf", _lines(_BALANCER, "create-monitor = ja{number}\n"), fix, 1_000),
    "blank lines, fix": Growing("cloud.conf", _lines(_BALANCER + "monitor-delay=10", "\n \t"), fix, 4_000),
    "blank lines, patch": Growing("cloud.conf", _lines(_BALANCER + "monitor-delay=10", "\n \t"), patch, 4_000),
    "passwords, lint": Growing("cloud.conf", _lines(GLOBAL, "password{number} = x{number}\n"), lint, 1_000),
    "sections, lint": Growing("cloud.conf", _lines(GLOBAL, "[Sec{number}]\na=1\n"), lint, 1_000),
    "sections, fix": Growing("cloud.conf", _lines(GLOBAL, "[Sec{number}]\na=1\n"), fix, 1_000),
    "sections, review": Growing("cloud.conf", _lines(GLOBAL, "[Sec{number}]\na=1\n"), review, 4_000),
    "class sections, lint": Growing(
        "cloud.conf", _lines(GLOBAL, '[LoadBalancerClass "c{number}"]\nfloating-network-id=x\n'), lint, 500
    ),
    "keys for OpenShift, lint": Growing("cloud.conf", _lines("[Global]\n", "secret-name=x{number}\n"), lint, 2_000),
    "unknown keys, lint": Growing("cloud.conf", _lines(_BALANCER, "unknown-key-{number}=1\n"), lint, 1_000),
    "unknown keys, the whole command": Growing(
        "cloud.conf", _lines(_BALANCER, "unknown-key-{number}=1\n"), lint_as_text, 2_000
    ),
    "keys with odd values, lint": Growing(
        "cloud.conf", _lines(_BALANCER, "unknown-{number} = S3cr-{number}\n"), lint, 1_000
    ),
    "misspelt keys, fix": Growing("cloud.conf", _lines(_BALANCER, "create-monitr{number}=1\n"), fix, 1_000),
    "misspelt annotations, lint": Growing("service.yaml", _annotated, lint, 1_000),
    "misspelt annotations, fix": Growing("service.yaml", _annotated, fix, 500),
    "source ranges and ports, lint": Growing("service.yaml", _ranged, lint, 5_000),
    "ports, lint": Growing("service.yaml", lambda count: service(1, count), lint, 1_000),
    "Services, lint": Growing("services.yaml", services, lint, 400),
    "Services, fix": Growing("services.yaml", services, fix, 400),
    "Services with comments, lint": Growing(
        "services.yaml",
        lambda count: services(count).replace("  name", "  # ccmcheck: ignore[x-y]\n  name"),
        lint,
        400,
    ),
    "Services beside a cloud.conf, lint": Growing("services.yaml", services, lint_beside, 1_000),
    "Services, predict": Growing("services.yaml", services, predict, 600),
    "Services, review": Growing("services.yaml", services, review, 600),
    "heredocs, lint": Growing("x.sh", _lines("", _HEREDOC), lint, 2_000),
    "heredocs on one line, lint": Growing("x.sh", lambda count: "cat" + " <<E" * count + "\nE" * count, lint, 2_000),
    "heredocs with a cloud.conf, fix": Growing("x.sh", lambda count: _CONF_HEREDOC * count, fix, 50),
    "heredocs without an end, lint": Growing("x.sh", _lines(_CONF_HEREDOC, "cat <<E{number}\n"), lint, 4_000),
    "quotes without an end, lint": Growing("x.sh", _lines(_CONF_HEREDOC, "it's {number} \" $(( ` \n"), lint, 2_000),
    "substitutions without an end, lint": Growing(
        "x.sh", lambda count: f"cat > cloud.conf <<E\n{GLOBAL}a = {'$( ' * count}\nE\n", lint, 2_000
    ),
    "substitutions within each other, lint": Growing(
        "x.sh", lambda count: f"cat > cloud.conf <<E\n{GLOBAL}a = {'$(' * count}{')' * count}\nE\n", lint, 4_000
    ),
    "lines of a heredoc with tabs, fix": Growing(
        "x.sh",
        lambda count: f"cat <<-E\n\t[LoadBalancer]\n{_BALANCER}" + "\tcreate-monitor=ja\n" * count + "E\n",
        fix,
        500,
    ),
    "fenced blocks, lint": Growing("x.md", _lines("", "> ```\n> [Global]\n> a = {number}\n> ```\n\n"), lint, 2_000),
    "quotations within each other, lint": Growing("x.md", lambda count: f"{'> ' * count}```\n" * 20, lint, 1_000),
    "indented blocks, lint": Growing("x.md", _lines("", "x\n\n    [Global]\n    a = {number}\n\n"), lint, 40_000),
    "literal blocks, lint": Growing("x.rst", _lines("", "x::\n\n  [Global]\n  a = {number}\n\n"), lint, 40_000),
    "listings, lint": Growing("x.adoc", _lines("", "----\n[Global]\na = {number}\n----\n"), lint, 40_000),
    "heredocs of Terraform, lint": Growing(
        "x.tf", _lines("", "a = <<-E\n  [Global]\n  a = {number}\n  E\n"), lint, 2_000
    ),
    "strings of Terraform, lint": Growing("x.tf", _lines("", 'a = "[Global]\\na={number}${{b("}}")}}"\n'), lint, 2_000),
    "braces of Terraform, lint": Growing("x.tf", lambda count: "a = {" * count + "<<E\nE\n" * count, lint, 40_000),
    "defines, lint": Growing("x.tpl", _lines("", '{{{{ define "a" }}}}\n[Global]\na=b\n{{{{ end }}}}\n'), lint, 1_000),
    # the time is in C, which `make bench` sees
    "lists, lint": Growing("x.yaml", _lines('cloud.conf: "*"\nx:\n', "- [a{number}]\n"), lint, 20_000),
    "ports, predict": Growing("service.yaml", lambda count: service(1, count), predict, 500),
    "source ranges and ports, predict": Growing("service.yaml", _ranged, predict, 6_000),
    "source ranges and ports, review": Growing("service.yaml", _ranged, review, 6_000),  # more than are remembered
    "ports, review": Growing("service.yaml", lambda count: service(1, count), review, 3_000),
    "short lines, read": Growing("cloud.conf", lambda count: GLOBAL + "a=1\n" * count, read, 60_000),
    "short sections, read": Growing("cloud.conf", lambda count: GLOBAL + '[a "b"]\n' * count, read, 30_000),
    "continued lines, read": Growing("cloud.conf", lambda count: GLOBAL + "a=" + "x\\\n" * count + "\n", read, 200_000),
}
"""Each row's name, and what it is."""
