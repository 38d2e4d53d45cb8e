"""Where the result goes: masked to standard output, unmasked to a file that only its owner may read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from rendering_aids import SECRET, Folder, carried

from ccmcheck import catalog, gcfg
from ccmcheck.conf import reading
from ccmcheck.render import TEMPLATES

_FILE = 0o777


def mode(path: Path) -> int:
    return path.stat().st_mode & _FILE


def test_standard_output_is_masked_and_says_so(folder: Folder) -> None:
    ran = folder.render("secret", "--cloud=app")
    assert ran.code == 0
    assert "application-credential-secret=****\n" in ran.out
    assert ran.err == (
        "ccmcheck: secrets are masked, and the text does not apply as it is shown; --with-secrets shows them, "
        "--output FILE writes them to a file\n"
    )
    quiet = folder.render("secret", "--cloud=app", "-q")
    assert (quiet.out, quiet.err) == (ran.out, ran.err)


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_no_reader_gets_past_a_masked_text(template: str, folder: Folder) -> None:
    """Else ``render secret | kubectl apply -f -`` would replace a login that works by its mask."""
    ran = folder.render(template, "--cloud=app")
    whole = folder.render(template, "--cloud=app", "--with-secrets").out
    if ran.out == whole:
        assert "****" not in whole
        return
    assert ran.out.startswith("**** masked: this file holds secrets and does not apply as it is shown")
    if template == "cloud.conf":
        read = reading.read(gcfg.parse(ran.out), catalog.schema(catalog.newest()))
        assert read.error is not None
        assert not read.values
        return
    with pytest.raises(yaml.YAMLError):
        list(yaml.safe_load_all(ran.out))
    assert list(yaml.safe_load_all(whole))
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(ran.out)


def test_a_pipe_or_a_terminal_named_as_the_file_gets_it_masked(folder: Folder) -> None:
    pipe = folder.path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ran = folder.render("secret", "--cloud=app", "--output=pipe", "-q")
        shown = os.read(reader, 65536).decode()
        assert shown == folder.render("secret", "--cloud=app").out
        assert SECRET not in shown
        assert "secrets are masked" in ran.err
        ran = folder.render("secret", "--cloud=app", "--output=pipe", "--with-secrets", "-q")
        assert SECRET in os.read(reader, 65536).decode()
        assert ran.err == ""
    finally:
        os.close(reader)


def test_with_secrets_it_is_whole(folder: Folder) -> None:
    ran = folder.render("secret", "--cloud=app", "--with-secrets")
    assert (ran.code, ran.err) == (0, "")
    assert f'application-credential-secret="{SECRET}#;"\n' in ran.out


def test_a_file_is_whole_and_private(folder: Folder) -> None:
    whole = folder.render("secret", "--cloud=app", "--with-secrets").out
    ran = folder.render("secret", "--cloud=app", "--output=new.yaml")
    assert (ran.code, ran.out, ran.err) == (0, "", "ccmcheck: wrote new.yaml\n")
    assert (folder.path / "new.yaml").read_text(encoding="utf-8") == whole
    assert mode(folder.path / "new.yaml") == 0o600
    assert sorted(path.name for path in folder.path.iterdir()) == ["clouds.yaml", "new.yaml"]


def test_a_file_that_others_may_read_is_reported(folder: Folder) -> None:
    old = folder.write("old.yaml", "old")
    old.chmod(0o644)
    ran = folder.render("secret", "--cloud=app", "--output=old.yaml", "-q")
    assert ran.code == 0
    assert ran.err == "ccmcheck: old.yaml holds secrets, and others may read it (mode 0644); it had that mode before\n"
    assert mode(old) == 0o644
    harmless = folder.render("configmap", "--output=old.yaml", "-q")
    assert (harmless.code, harmless.err) == (0, "")


def test_a_link_stays_one(folder: Folder) -> None:
    target = folder.write("deep/real.yaml", "old")
    (folder.path / "link.yaml").symlink_to(target)
    assert folder.render("secret", "--cloud=app", "--output=link.yaml", "-q").code == 0
    assert (folder.path / "link.yaml").is_symlink()
    assert SECRET in target.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written(folder: Folder) -> None:
    ran = folder.render("secret", "--cloud=app", "--output=gone/new.yaml")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == "ccmcheck: error: gone/new.yaml cannot be written: no such file or directory\n"


def test_findings_are_reported_and_the_result_is_there_all_the_same(folder: Folder) -> None:
    ran = folder.render("secret", "--cloud=user", "--output=new.yaml", "-q")
    assert ran.code == 1
    assert ran.err.splitlines() == [
        "ccmcheck: warning tls-insecure-on, line 10: tls-insecure: the CCM accepts any certificate from any server",
        "ccmcheck: info auth-password, line 5: the CCM logs in with a user's password",
    ]
    (values,) = carried("secret.yaml", (folder.path / "new.yaml").read_text(encoding="utf-8"))
    assert values["Global"]["password"] == SECRET


def test_a_terminal_is_not_moved_by_a_value(bare: Folder) -> None:
    import os
    import pty
    import subprocess
    import sys

    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "ccmcheck",
        "render",
        "cloud.conf",
        "-q",
        "--set=use-clouds=true",
        "--set=floating-subnet=a\x1b[2Jb\tc",
    ]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    subprocess.run(command, cwd=bare.path, env=environment, stdout=theirs, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert "\x1b" not in shown
    assert "floating-subnet=a" in shown
    piped = subprocess.run(command, cwd=bare.path, env=environment, capture_output=True, text=True, check=True).stdout
    (values,) = carried("cloud.conf", piped)
    assert values["LoadBalancer"]["floating-subnet"] == "a\x1b[2Jb\tc"


def test_a_cloud_that_is_not_needed_is_reported(folder: Folder) -> None:
    ran = folder.render("configmap", "--cloud=app")
    assert (ran.code, ran.err) == (0, "ccmcheck: the template configmap takes nothing from a cloud\n")


def test_nothing_is_imported_before_it_is_needed(bare: Folder) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from ccmcheck.cli.main import run; run(['render', '--help']); "
        "print(*{'jinja2', 'ruamel', 'yaml', 'json', 'base64', 'difflib'} & {name.partition('.')[0] for name in sys.modules})"
    )
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=bare.path,
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("\n\n"), done.stdout.splitlines()[-1]


def test_the_same_twice(folder: Folder) -> None:
    for template in ("cloud.conf", "secret", "helm-values"):
        assert folder.render(template, "--cloud=app") == folder.render(template, "--cloud=app")


def test_names_are_the_objects(folder: Folder) -> None:
    ran = folder.render("secret", "--cloud=app", "--name=mine", "--namespace=there")
    assert "  name: mine\n  namespace: there\n" in ran.out


def test_the_help_names_every_template(folder: Folder) -> None:
    from ccmcheck.render import TEMPLATES

    ran = folder.render("--help")
    assert ran.code == 0
    for name, template in TEMPLATES.items():
        assert f"\n  {name:<20}  {template.about}\n" in ran.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_it_is_utf8_whatever_the_terminal_takes(encoding: str, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys

    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    args = ["render", "configmap", "--set=floating-subnet=Ünï日", "-q"]
    done = subprocess.run([sys.executable, "-m", "ccmcheck", *args], cwd=folder.path, capture_output=True, check=True)
    (values,) = carried("configmap.yaml", done.stdout.decode())
    assert values["LoadBalancer"]["floating-subnet"] == "Ünï日"
