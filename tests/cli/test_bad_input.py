"""Files that no reader expects: each is reported or linted, none stops the others, none brings a traceback."""

from __future__ import annotations

import base64
import gzip
import json
import os
import resource
import socket
import sys
import time
from pathlib import Path

import pytest
from command_line import BROKEN_YAML, FATAL, RIGHT, Done, put, run, spawn

from ccmcheck.report import REPORTERS

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\n"
MANY = 100_000


def b64(data: bytes | str) -> str:
    return base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()


def found(done: Done) -> tuple[list[str], list[str]]:
    """The findings as ``path:line:column rule`` and the failures as ``path: message``."""
    assert "Traceback" not in done.err
    document = json.loads(done.out)
    assert not [one for one in document["failures"] if one["internal"]]
    return (
        [f"{one['path']}:{one['line']}:{one['column']} {one['rule']}" for one in document["findings"]],
        [f"{one['path']}: {one['message']}" for one in document["failures"]],
    )


def lint(folder: Path, *arguments: str) -> tuple[list[str], list[str]]:
    return found(run(folder, "lint", "--format=json", *arguments))


BYTES: dict[str, tuple[bytes, list[str]]] = {
    "UTF-8 BOM": (b"\xef\xbb\xbf" + RIGHT.encode(), ["cloud.conf:1:1 gcfg-illegal-bytes"]),
    "not UTF-8": (RIGHT.encode().replace(b"RegionOne", b"Regi\xffon"), ["cloud.conf:5:14 gcfg-illegal-bytes"]),
    "NUL": (RIGHT.encode().replace(b"RegionOne", b"Regi\0on"), ["cloud.conf:5:14 gcfg-illegal-bytes"]),
    "CRLF": (FATAL.encode().replace(b"\n", b"\r\n"), ["cloud.conf:11:17 duration-bad"]),
    "no final newline": (FATAL.encode()[:-1], ["cloud.conf:11:17 duration-bad"]),
    "CRLF, no final newline": (FATAL.encode().replace(b"\n", b"\r\n")[:-2], ["cloud.conf:11:17 duration-bad"]),
    "NEL and LS are no line ends": (
        FATAL.encode().replace(b"region = RegionOne", "# \x85\u2028\nregion = a".encode()),
        ["cloud.conf:12:17 duration-bad"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BYTES)
def test_bytes_of_a_plain_file(tmp_path: Path, name: str) -> None:
    data, expected = BYTES[name]
    put(tmp_path, {"cloud.conf": data})
    assert lint(tmp_path) == (expected, [])


@pytest.mark.parametrize("name", BYTES)
def test_the_same_bytes_in_a_secret(tmp_path: Path, name: str) -> None:
    data, expected = BYTES[name]
    put(tmp_path, {"s.yaml": f"{SECRET}data:\n  cloud.conf: {b64(data)}\n"})
    rules = [f"s.yaml:5:15 {one.split()[1]}" for one in expected]
    assert lint(tmp_path) == (rules, [])
    document = json.loads(run(tmp_path, "lint", "--format=json").out)
    inner = [
        f"cloud.conf:{one['inner']['line']}:{one['inner']['column']} {one['rule']}" for one in document["findings"]
    ]
    assert inner == expected


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_reported_once(tmp_path: Path, encoding: str) -> None:
    put(tmp_path, {"cloud.conf": RIGHT.encode(encoding)})
    findings, failures = lint(tmp_path, "cloud.conf")
    assert [one.split()[1] for one in findings] == ["not-a-cloud-conf"]
    assert failures == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_manifest_in_another_encoding(tmp_path: Path, encoding: str) -> None:
    text = f"# ü\n{SECRET}data:\n  cloud.conf: {b64(FATAL)}\n"
    put(tmp_path, {"s.yaml": text.encode(encoding)})
    findings, failures = lint(tmp_path, "s.yaml")
    if encoding == "utf-8-sig":
        assert (findings, failures) == (["s.yaml:6:15 duration-bad"], [])
    else:
        assert findings or failures


def test_empty_and_blank_files(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "a/cloud.conf": "",
            "b/cloud.conf": "\n\n  \n",
            "c/cloud.conf": "# only this\n",
            "d.yaml": "",
            "e.yaml": "---\n...\n",
        },
    )
    for name in ("a", "b", "c", "d.yaml", "e.yaml", "a/cloud.conf"):
        done = run(tmp_path, "lint", "--format=json", name)
        assert done.code in (0, 1)
        found(done)


def test_one_bad_document_does_not_hide_the_others(tmp_path: Path) -> None:
    good = f"{SECRET}data:\n  cloud.conf: {b64(FATAL)}\n"
    put(tmp_path, {"s.yaml": f"{good}---\n{BROKEN_YAML}---\n{good}"})
    findings, failures = lint(tmp_path)
    assert findings == ["s.yaml:5:15 duration-bad", "s.yaml:17:15 duration-bad"]
    assert len(failures) == 1
    assert failures[0].startswith("s.yaml: not YAML: ")


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    put(tmp_path, {"a.yaml": BROKEN_YAML, "b/cloud.conf": FATAL, "c/cloud.conf": b"#" * 2000, "d/cloud.conf": FATAL})
    for jobs in ("1", "3"):
        done = run(tmp_path, "lint", "--format=json", "--max-size=1kB", f"--jobs={jobs}", ".", "nowhere")
        assert done.code == 3
        findings, failures = found(done)
        assert findings == ["b/cloud.conf:11:17 duration-bad", "d/cloud.conf:11:17 duration-bad"]
        assert [one.partition(":")[0] for one in failures] == ["a.yaml", "c/cloud.conf", "nowhere"]


NESTED = {
    "flow sequences": "[" * MANY,
    "closed flow sequences": "[" * MANY + "]" * MANY,
    "flow mappings": "{a: " * MANY,
    "block sequences": "- " * MANY + "x",
    "complex keys": "? " * MANY + "x",
    "indentation": "".join(f"{' ' * depth}a:\n" for depth in range(2000)),
    "JSON": '{"a":' * MANY + "1" + "}" * MANY,
    "quotes": '"' * MANY,
    "braces": "{{" * MANY,
    "marks": "${" * MANY,
    "sections": "[Global]\n" * 5_000,
    "brackets": "[" * MANY + "\n[Global]\n",
    "anchors": "".join(f"a{number}: &a{number} x\n" for number in range(5_000)),
    "documents": "---\n" * MANY,
    "tags": "!!" * MANY + " x",
    "comments": "# ccmcheck: ignore[" * 20_000,
    "heredocs": "".join(f"cat <<E{number}\n" for number in range(5_000)),
}


def processor_seconds() -> float:
    """What the commands so far have used; the time by the clock depends on what else runs here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.part(of=4)
@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting(tmp_path: Path, name: str) -> None:
    text = NESTED[name]
    inside = f"{SECRET}data:\n  cloud.conf: {b64(text)}\n  other.yaml: {b64('kind: Secret' + chr(10) + text)}\n"
    put(tmp_path, {"s.yaml": f"# cloud.conf\n{text}", "cloud.conf": f"# cloud.conf\n{text}", "base64.yaml": inside})
    put(tmp_path, {"z/cloud.conf": FATAL})
    started = processor_seconds()
    done = spawn(tmp_path, "lint", "--format=json", "--jobs=1")
    assert done.code in (1, 3), done.err
    findings, _ = found(done)
    assert "z/cloud.conf:11:17 duration-bad" in findings
    assert processor_seconds() - started < 10


def test_a_bomb_of_aliases(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]" for number in range(1, 30)]
    put(tmp_path, {"s.yaml": "\n".join([*lines, f"{SECRET}data:\n  x: *a29\n  cloud.conf: {b64(FATAL)}"])})
    assert lint(tmp_path) == (["s.yaml:36:15 duration-bad"], [])


def test_an_alias_to_itself(tmp_path: Path) -> None:
    put(tmp_path, {"s.yaml": f"{SECRET}x: &x\n  y: *x\n  z: [*x]\ndata:\n  cloud.conf: {b64(FATAL)}\n"})
    findings, failures = lint(tmp_path)
    assert findings == ["s.yaml:8:15 duration-bad"] or failures


def test_a_bomb_of_gzip(tmp_path: Path) -> None:
    packed = b64(gzip.compress(b"[Global]\n" + b"#" * 11_000_000, 9, mtime=0))
    config = (
        "apiVersion: bootstrap.cluster.x-k8s.io/v1beta1\nkind: KubeadmConfig\nmetadata: {name: k}\nspec:\n  files:\n"
        f"  - path: /etc/kubernetes/cloud.conf\n    encoding: gzip+base64\n    content: {packed}\n"
    )
    put(tmp_path, {"k.yaml": config, "z/cloud.conf": FATAL})
    findings, failures = lint(tmp_path)
    assert findings == ["z/cloud.conf:11:17 duration-bad"]
    assert failures == [f"k.yaml: {failures[0].partition(': ')[2]}"]
    assert "unpacks to more than" in failures[0]
    assert lint(tmp_path, "--max-size=12MiB")[1] == []


@pytest.mark.parametrize(
    "value",
    [
        "not base64 at all!",
        "W0dsb2JhbF0",
        "W0dsb2JhbF0=====",
        "",
        "=",
        b64(b64(FATAL)),
        b64(b"\xff\xfe\0"),
        "W0ds b2Jh bF0=",
    ],
)
def test_base64_that_is_none(tmp_path: Path, value: str) -> None:
    put(tmp_path, {"s.yaml": f"{SECRET}data:\n  cloud.conf: {value or chr(34) * 2}\n", "z/cloud.conf": FATAL})
    findings, failures = lint(tmp_path)
    assert findings[-1] == "z/cloud.conf:11:17 duration-bad"
    assert all(one.startswith("s.yaml:5:") for one in findings[:-1])
    assert all(one.startswith("s.yaml: ") for one in failures)


def test_base64_twice_is_reported(tmp_path: Path) -> None:
    put(tmp_path, {"s.yaml": f"{SECRET}data:\n  cloud.conf: {b64(b64(RIGHT))}\n"})
    findings, failures = lint(tmp_path)
    assert len(findings) == 1
    assert findings[0].startswith("s.yaml:5:15 ")
    assert failures == []


def test_files_that_are_none(tmp_path: Path) -> None:
    put(tmp_path, {"z/cloud.conf": FATAL, "folder/cloud.conf/x": "y"})
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "dangling").mkdir()
    (tmp_path / "dangling" / "cloud.conf").symlink_to("nowhere")
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "cloud.conf").symlink_to("cloud.conf")
    (tmp_path / "loop" / "up").symlink_to("..")
    (tmp_path / "linked").symlink_to("z")
    short = Path(os.path.relpath(tmp_path / "socket.yaml"))
    with socket.socket(socket.AF_UNIX) as listening:
        try:
            listening.bind(str(short) if len(str(short)) < len(str(tmp_path)) else str(tmp_path / "socket.yaml"))
        except OSError:
            pytest.skip("the path is too long for a socket")
        assert lint(tmp_path) == (["z/cloud.conf:11:17 duration-bad"], [])
        _, failures = lint(
            tmp_path, "pipe.yaml", "socket.yaml", "dangling/cloud.conf", "loop/cloud.conf", "z/cloud.conf"
        )
    assert failures == [
        "dangling/cloud.conf: there is no such file or folder",
        "loop/cloud.conf: there is no such file or folder",
        "pipe.yaml: this is a pipe, not a file",
        "socket.yaml: this is a socket, not a file",
    ]
    assert lint(tmp_path, "folder/cloud.conf") == ([], [])
    assert lint(tmp_path, "linked") == (["linked/cloud.conf:11:17 duration-bad"], [])
    assert "this is a device" in lint(tmp_path, "/dev/null")[1][0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "z/cloud.conf": FATAL})
    (tmp_path / "a" / "cloud.conf").chmod(0)
    done = run(tmp_path, "lint", "--format=json")
    assert done.code == 3
    assert found(done) == (["z/cloud.conf:11:17 duration-bad"], ["a/cloud.conf: cannot be read: permission denied"])


def test_a_file_that_fails_while_it_is_read(tmp_path: Path) -> None:
    memory = Path("/proc/self/mem")
    if not memory.exists():
        pytest.skip("no /proc")
    findings, failures = lint(put(tmp_path, {"z/cloud.conf": FATAL}), str(memory), "z/cloud.conf")
    assert findings == ["z/cloud.conf:11:17 duration-bad"]
    assert failures == [f"{memory}: cannot be read: input/output error"]


@pytest.mark.parametrize(
    "name",
    ["ü\u202e.conf", "a\nb.conf", "-cloud.conf", "\udcff-cloud.conf", "x" * 240 + "-cloud.conf", "\x1b[31m-cloud.conf"],
)
@pytest.mark.parametrize("form", REPORTERS)
def test_names_of_files(tmp_path: Path, name: str, form: str) -> None:
    put(tmp_path, {name: FATAL})
    done = run(tmp_path, "lint", f"--format={form}", f"./{name}")
    assert done.code == 1
    assert not [sign for sign in done.out if sign != "\n" and (ord(sign) < 32 or sign in "\x7f\u202e")]


def test_a_name_that_no_system_has(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 5000):
        done = run(tmp_path, "lint", name)
        assert done.code == 3
        assert "Traceback" not in done.err + done.out


def slow(seconds: float) -> float:
    """A bound that a slow machine keeps too, and that anything quadratic breaks."""
    return seconds * 4


@pytest.mark.part(of=4)
@pytest.mark.parametrize(
    ("name", "text", "seconds"),
    [
        ("cloud.conf", RIGHT + "# comment\n" * 450_000, 2),
        ("cloud.conf", RIGHT + "unknown-key = value\n" * 10_000, 2),
        ("cloud.conf", RIGHT + "x" * 4_500_000, 2),
        ("cloud.conf", "[" * 4_500_000, 4),
        ("cloud.conf", "[Global]\n" + 'password = "\n' * 30_000, 2),
        (
            "s.yaml",
            f"{SECRET}stringData:\n  cloud.conf: |\n" + "    # comment\n" * 75_000 + "    [Global]\n    x_y=1\n",
            6,
        ),
        ("s.yaml", f"{SECRET}data:\n  cloud.conf: {b64(RIGHT + '# comment' * 350_000)}\n", 4),
        ("s.yaml", "\n".join(f"a{number}: cloud.conf" for number in range(50_000)), 3),
    ],
    ids=["comments", "unknown keys", "one line", "brackets", "quotes", "block", "base64", "keys"],
)
def test_megabytes(tmp_path: Path, name: str, text: str, seconds: float) -> None:
    put(tmp_path, {name: text})
    started = time.process_time()
    done = run(tmp_path, "lint", "-q", "--format=concise")
    spent = time.process_time() - started
    assert done.code in (0, 1, 3)
    assert "internal error" not in done.out
    assert spent < slow(seconds)


def test_a_small_stack(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no resource limits")
    put(tmp_path, {"s.yaml": f"# cloud.conf\n{'[' * MANY}", "z/cloud.conf": FATAL})
    program = "import resource; resource.setrlimit(resource.RLIMIT_STACK, (262144, 262144)); from ccmcheck.cli.main import main; main(['lint', '--format=json'])"
    import subprocess

    from command_line import environment

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode in (1, 3), done.stderr


@pytest.mark.parametrize("written", [b"", b"\n \n"])
@pytest.mark.parametrize(
    "words", ["fix -", "fix --check -", "read -", "show -", "list -", "predict -", "set - -- a.b=c"]
)
def test_an_empty_standard_input_is_an_error(words: str, written: bytes, tmp_path: Path) -> None:
    done = run(tmp_path, *words.split(), stdin=written)
    assert (done.code, done.out) == (2, ""), done
    assert "Standard input is empty." in done.err
