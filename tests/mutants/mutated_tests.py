"""Runs tests once to see which function each calls, then those of a changed function with the change, in a fork.

A fork costs milliseconds where a new Python with the package and the tests takes seconds. The change is made to the
living function: its code is replaced, so that everything that imported it has it. ``python mutated_tests.py`` reads a
`Job` from standard input as JSON and prints a line of JSON for each change.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import json
import math
import os
import pkgutil
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, Phase, settings
from mutations import Mutant, mutants_of, read

PACKAGE = Path(__file__).resolve().parents[2] / "ccmcheck"
KILLED, SURVIVED, TIMED_OUT, NOT_CALLED = "killed", "survived", "timed out", "not called"
LEAST_SECONDS, TIMES_AS_LONG = 1, 3
"""Processor time that a test gets with a change: so much, and so many times what it took without it."""
TIMES_AS_SLOW = 10
"""Until then it has that time, on a busy machine, too; what waits for something that never comes ends here."""
MEMORY = 4 << 30


class Job(NamedTuple):
    """What to do.

    Attributes:
        modules: The modules to change, below the package.
        tests: Files and folders of tests.
        numbers: Which of the changes, by their order; all where None.
        processes: How many at a time.
    """

    modules: list[str]
    tests: list[str]
    numbers: list[int] | None
    processes: int


class Calls(NamedTuple):
    """What a test took, and which code of the changed modules it ran."""

    item: pytest.Item
    seconds: float
    codes: frozenset[CodeType]


class Mutate:
    """A plug-in of pytest that takes the place of its loop over the tests."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._files = {str(PACKAGE / module): module for module in job.modules}
        self._caches: list[functools._lru_cache_wrapper[object]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test as it is, then those that matter with each change."""
        _import_all()
        self._caches = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]
        calls = [self._run(item) for item in session.items]
        took = round(sum(call.seconds for call in calls), 1)
        print(json.dumps({"tests": len(calls), "seconds": took}), flush=True)
        trees = {module: read(Path(path)) for path, module in self._files.items()}
        mutants = [mutant for module, tree in trees.items() for mutant in mutants_of(tree, module)]
        if self._job.numbers is not None:
            mutants = [mutants[number] for number in self._job.numbers]
        living = self._functions()
        children: dict[int, tuple[Mutant, float]] = {}
        gc.freeze()  # a collection in a child would copy all that it looks at
        for mutant in mutants:
            path = str(PACKAGE / mutant.where.partition(":")[0])
            functions = living.get((path, mutant.function, mutant.start), [])
            codes = {function.__code__ for function in functions}
            tests = sorted((call for call in calls if call.codes & codes), key=lambda call: call.seconds)
            if not tests:
                _print(mutant, NOT_CALLED)
                continue
            while len(children) >= self._job.processes:
                self._wait(children)
            child = os.fork()
            if not child:
                self._try(mutant, trees[self._files[path]], path, functions, tests)
            limit = LEAST_SECONDS + sum(test.seconds for test in tests)
            children[child] = mutant, time.monotonic() + TIMES_AS_SLOW * limit
        while children:
            self._wait(children)
        print(json.dumps({"done": len(mutants)}), flush=True)
        return True

    def _run(self, item: pytest.Item) -> Calls:
        """Run a test as it is, and once more where it fails: that may be the machine; twice ends the run."""
        for _ in range(2):
            calls, failed = self._run_once(item)
            if not failed:
                break
        else:
            print(json.dumps({"failed": item.nodeid}), flush=True)
        return calls

    def _run_once(self, item: pytest.Item) -> tuple[Calls, bool]:
        """Run a test, and tell whether it fails; one that is skipped says nothing about changes."""
        codes: set[CodeType] = set()

        def note(frame: FrameType, event: str, _argument: object) -> None:
            if event == "call" and frame.f_code.co_filename in self._files:
                codes.add(frame.f_code)

        self._forget()
        started = time.monotonic()
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            reports = runtestprotocol(item, nextitem=None, log=False)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # the way to switch it off
        passed = all(report.passed for report in reports)
        calls = Calls(item, time.monotonic() - started, frozenset(codes if passed else ()))
        return calls, any(report.failed for report in reports)

    def _functions(self) -> dict[tuple[str, str, int], list[FunctionType]]:
        """The living functions of the modules by file, qualified name and first line."""
        found: dict[tuple[str, str, int], list[FunctionType]] = {}
        gc.unfreeze()  # what the package froze in a test is not among the objects
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename in self._files:
                code = thing.__code__
                found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(thing)
        return found

    def _try(
        self,
        mutant: Mutant,
        tree: ast.Module,
        path: str,
        functions: list[FunctionType],
        tests: list[Calls],
    ) -> None:
        """In the child: make the change, run the tests, and end with 1 where one fails."""
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        code = 1
        try:
            mutant.place.put(mutant.node)
            compiled = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
            for part in _codes(compiled):
                if (part.co_qualname, part.co_firstlineno) == (mutant.function, mutant.start):
                    for function in functions:
                        function.__code__ = part
            self._forget()
            code = 0
            for test in tests:
                _allow(LEAST_SECONDS + TIMES_AS_LONG * test.seconds)
                if any(report.failed for report in runtestprotocol(test.item, nextitem=None, log=False)):
                    code = 1
                    break
        finally:
            os._exit(code)

    def _forget(self) -> None:
        """Empty the package's caches: what was remembered before a change would hide it."""
        for cache in self._caches:
            if (cache.__module__ or "").startswith("ccmcheck"):
                cache.cache_clear()

    @staticmethod
    def _wait(children: dict[int, tuple[Mutant, float]]) -> None:
        """Wait until one of the children has ended or has had its time, and print how it ended."""
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child in children:
                mutant, _ = children.pop(child)
                over = os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGKILL, signal.SIGXCPU}
                _print(mutant, SURVIVED if status == 0 else TIMED_OUT if over else KILLED)
                return
            for late, (mutant, until) in list(children.items()):
                if time.monotonic() > until:
                    os.killpg(late, signal.SIGKILL)
                    os.waitpid(late, 0)
                    del children[late]
                    _print(mutant, TIMED_OUT)
                    return
            time.sleep(0.002)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _import_all() -> None:
    """Import the whole package, so that all its functions and caches are there."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "ccmcheck."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _allow(seconds: float) -> None:
    """Let this process have so much more processor time; one that needs more is killed."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _print(mutant: Mutant, outcome: str) -> None:
    answer = {"where": mutant.where, "change": mutant.change, "line": mutant.line, "outcome": outcome}
    print(json.dumps(answer, ensure_ascii=False), flush=True)


def main() -> int:
    """Do the job of standard input."""
    job = Job(**json.load(sys.stdin))
    settings.register_profile(
        "mutants",
        phases=[Phase.explicit, Phase.generate],  # the first example that fails is enough
        database=None,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")
    options = ["-q", "-s", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"]
    retention = ["-o", "tmp_path_retention_policy=none"]
    return int(pytest.main([*options, *retention, *job.tests], plugins=[Mutate(job)]))


if __name__ == "__main__":
    sys.exit(main())
