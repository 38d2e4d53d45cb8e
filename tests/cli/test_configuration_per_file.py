"""Each file is judged by the configuration nearest to it; what concerns the whole run comes from where it started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FATAL, NOTED, RIGHT, WARNED, git, put, run

from ccmcheck.catalog.signs.paths import DEFAULT_EXCLUDE

SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, ports: [{name: http, port: 80, nodePort: 30080}]}
"""


@pytest.fixture
def top(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def findings(folder: Path, *arguments: str) -> set[tuple[str, str, str]]:
    done = run(folder, "lint", "--format=json", *arguments)
    assert done.code in (0, 1), done.err
    return {(one["path"], one["rule"], one["severity"]) for one in json.loads(done.out)["findings"]}


def releases(folder: Path, *arguments: str) -> dict[str, str]:
    done = run(folder, "show", "--format=json", *arguments)
    assert done.code == 0, done.err
    return {config["source"]: config["reader"] for config in json.loads(done.out)["configs"]}


class TestNearest:
    def test_the_order_of_paths_does_not_matter(self, top: Path) -> None:
        put(top, {"a/ccmcheck.toml": 'ignore = ["duration-bad"]\n', "a/cloud.conf": FATAL, "b/cloud.conf": FATAL})
        expected = {("b/cloud.conf", "duration-bad", "error")}
        assert findings(top, "a", "b") == findings(top, "b", "a") == findings(top, ".") == expected
        assert (
            run(top, "lint", "a", "b").out.splitlines()[-1][:30] == run(top, "lint", "b", "a").out.splitlines()[-1][:30]
        )

    def test_the_nearest_replaces_the_others(self, top: Path) -> None:
        put(top, {"ccmcheck.toml": 'ignore = ["duration-bad"]\n', "cloud.conf": FATAL})
        put(top, {"sub/ccmcheck.toml": 'ignore = ["auth-incomplete"]\n', "sub/deep/cloud.conf": FATAL})
        assert findings(top, ".") == {("sub/deep/cloud.conf", "duration-bad", "error")}

    def test_several_processes_agree_with_one(self, top: Path) -> None:
        for number in range(9):
            put(
                top,
                {
                    f"{number}/cloud.conf": FATAL,
                    f"{number}/ccmcheck.toml": f'severity.duration-bad = "{"info" if number % 2 else "warning"}"\n',
                },
            )
        assert findings(top, "--jobs=2", ".") == findings(top, "--jobs=1", ".")
        assert {severity for _, _, severity in findings(top, ".")} == {"info", "warning"}

    def test_profiles_facts_variables_and_baselines_are_those_of_the_file(self, top: Path) -> None:
        site = "[LoadBalancer]\ncreate-monitor = equals({})\n"
        delayed = RIGHT + "monitor-delay = ${DELAY}\n"
        put(top, {"a/ccmcheck.toml": 'profile = "./s.ini"\nselect = ["profile"]\n', "a/s.ini": site.format("false")})
        put(top, {"b/ccmcheck.toml": 'profile = "./s.ini"\nselect = ["profile"]\n', "b/s.ini": site.format("true")})
        put(top, {"a/cloud.conf": RIGHT, "b/cloud.conf": RIGHT})
        put(top, {"c/ccmcheck.toml": '[vars]\nDELAY = "3"\n', "d/ccmcheck.toml": '[vars]\nDELAY = "9s"\n'})
        put(top, {"c/cloud.conf": delayed, "d/cloud.conf": delayed})
        known = '{"version": 1, "files": {"cloud.conf": {"duration-bad": 1}}}'
        put(top, {"e/ccmcheck.toml": 'baseline = "known.json"\n', "e/known.json": known, "e/cloud.conf": FATAL})
        found = findings(top, ".")
        assert {(path, rule) for path, rule, _ in found} == {
            ("a/cloud.conf", "profile"),
            ("c/cloud.conf", "duration-bad"),
        }

    @pytest.mark.parametrize(("path", "others"), [(".", {"f/cloud.conf"}), ("a", set()), ("a/b/..", set())])
    def test_a_folder_below_excludes_its_own_files(self, top: Path, path: str, others: set[str]) -> None:
        put(top, {"a/b/ccmcheck.toml": 'exclude = ["*.conf", "c/"]\n', "a/cloud.conf": FATAL, "a/b/cloud.conf": FATAL})
        put(top, {"a/b/c/d/cloud.cfg": FATAL, "a/b/e/cloud.cfg": FATAL, "a/b/e/y.conf": FATAL, "f/cloud.conf": FATAL})
        found = {(top / name).resolve().relative_to(top.resolve()).as_posix() for name, _, _ in findings(top, path)}
        assert found == {"a/cloud.conf", "a/b/e/cloud.cfg", *others}

    def test_an_excluded_folder_is_left_with_its_configuration(self, top: Path) -> None:
        put(top, {"ccmcheck.toml": 'exclude = ["vendor/"]\n', "vendor/x/ccmcheck.toml": 'fail-on = "info"\n'})
        put(top, {"vendor/x/cloud.conf": FATAL, "sub/vendor/cloud.conf": FATAL, "sub/ccmcheck.toml": ""})
        assert findings(top, ".") == {("sub/vendor/cloud.conf", "duration-bad", "error")}

    def test_the_largest_file_is_that_of_the_file(self, top: Path) -> None:
        put(top, {"a/ccmcheck.toml": "max-file-size = 20\n", "a/cloud.conf": FATAL, "b/cloud.conf": FATAL})
        done = run(top, "lint", "a", "b")
        assert done.code == 3
        assert "a/cloud.conf" in done.out + done.err
        assert run(top, "lint", "--max-size=10MiB", "a", "b").code == 1

    def test_fix_follows_each(self, top: Path) -> None:
        changed = RIGHT + "monitor-delay = 5\n"
        put(top, {"a/ccmcheck.toml": 'ignore = ["duration-bad"]\n', "a/cloud.conf": changed, "b/cloud.conf": changed})
        assert run(top, "fix", "--write", "--unsafe", "b", "a").code == 0
        assert (top / "a/cloud.conf").read_text() == changed
        assert (top / "b/cloud.conf").read_text() == changed.replace("= 5\n", "= 5s\n")

    def test_show_read_and_set_follow_each(self, top: Path) -> None:
        put(top, {"a/ccmcheck.toml": 'release = "1.29"\n', "b/ccmcheck.toml": 'release = "1.31"\n'})
        put(top, {"a/cloud.conf": RIGHT, "b/cloud.conf": RIGHT})
        shown = releases(top, "b", "a")
        assert "1.29" in shown["a/cloud.conf"]
        assert "1.31" in shown["b/cloud.conf"]
        out = run(top, "read", "a", "b").out
        assert "a/cloud.conf  read by CCM 1.29" in out or "1.29" in out.split("b/cloud.conf")[0]
        put(top, {"a/ccmcheck.toml": 'release = "1.17"\n'})
        assert run(top, "set", "--check", "b/cloud.conf", "--", "max-shared-lb=3").code == 1
        assert run(top, "set", "--check", "a/cloud.conf", "--", "max-shared-lb=3").code == 2

    def test_predict_takes_that_of_the_cloud_conf(self, top: Path) -> None:
        put(top, {"conf/ccmcheck.toml": 'release = "1.29"\n', "conf/cloud.conf": RIGHT})
        put(top, {"svc/ccmcheck.toml": 'release = "1.31"\n', "svc/web.yaml": SERVICE})
        for paths in (("svc", "conf"), ("conf", "svc")):
            done = run(top, "predict", "--format=json", *paths)
            assert "1.29" in json.dumps(json.loads(done.out)), done.err
            assert '"1.31"' not in done.out


class TestWholeRun:
    @pytest.mark.parametrize(
        "line", ['fail-on = "error"', 'format = "json"', 'color = "always"', 'output-file = {sarif = "x"}']
    )
    def test_below_the_place_of_invocation_it_is_an_error(self, top: Path, line: str) -> None:
        put(top, {"sub/ccmcheck.toml": f"# first\n{line}\n", "sub/cloud.conf": WARNED})
        for command in ("lint", "fix", "show", "predict", "read"):
            done = run(top, command, "--trust-checkout", "sub")
            assert done.code == 2, command
            option = line.partition(" ")[0]
            assert f"{top}/sub/ccmcheck.toml:2: `{option}` concerns the whole run" in done.err
            assert f"Move it to {top}/ccmcheck.toml" in done.err
        assert run(top / "sub", "lint", "--trust-checkout", ".").code in (0, 1)
        assert run(top, "lint", "--trust-checkout", "--config=sub/ccmcheck.toml", "sub").code in (0, 1)
        assert run(top, "lint", "--no-config", "sub").code == 1

    def test_it_holds_for_files_elsewhere(self, top: Path) -> None:
        put(top, {"ccmcheck.toml": 'fail-on = "error"\n', "sub/ccmcheck.toml": "", "sub/cloud.conf": WARNED})
        assert run(top, "lint", "sub").code == 0
        assert run(top / "sub", "lint", ".").code == 1

    def test_what_is_inherited_counts_only_at_the_place_of_invocation(self, top: Path) -> None:
        put(top, {"ccmcheck.toml": 'fail-on = "error"\n', "sub/ccmcheck.toml": 'extend = "../ccmcheck.toml"\n'})
        put(top, {"sub/cloud.conf": WARNED, "cloud.conf": WARNED})
        assert run(top, "lint", ".").code == 0
        assert run(top / "sub", "lint", ".").code == 0
        assert run(top / "sub", "lint", "..").code == 0

    def test_a_link_to_the_folder_is_the_same_place(self, top: Path) -> None:
        put(top, {"real/ccmcheck.toml": 'fail-on = "error"\n', "real/cloud.conf": WARNED})
        (top / "link").symlink_to("real")
        assert run(top / "real", "lint", f"{top}/link/cloud.conf").code == 0


class TestOverride:
    def test_it_sets_release_profile_and_severity_for_its_paths(self, top: Path) -> None:
        override = '[[override]]\npaths = ["old/"]\nrelease = "1.29"\nprofile = "./s.ini"\n[override.severity]\nduration-bad = "info"\n'
        put(
            top,
            {
                "ccmcheck.toml": 'release = "1.31"\n' + override,
                "s.ini": "[LoadBalancer]\ncreate-monitor = equals(false)\n",
            },
        )
        put(top, {"old/cloud.conf": FATAL, "new/cloud.conf": FATAL})
        assert findings(top, ".") == {
            ("old/cloud.conf", "duration-bad", "info"),
            ("old/cloud.conf", "profile", "warning"),
            ("new/cloud.conf", "duration-bad", "error"),
        }

    def test_a_later_one_wins(self, top: Path) -> None:
        first = '[[override]]\npaths = ["*.conf"]\nrelease = "1.29"\n'
        put(top, {"ccmcheck.toml": first + '[[override]]\npaths = ["a/"]\nrelease = "1.30"\n'})
        put(top, {"a/x.conf": RIGHT, "b/x.conf": RIGHT})
        shown = releases(top, "a/x.conf", "b/x.conf")
        assert "1.30" in shown["a/x.conf"]
        assert "1.29" in shown["b/x.conf"]


class TestUntrusted:
    def test_extend_stays_in_the_repository(self, top: Path) -> None:
        put(top, {"outside.toml": 'ignore = ["duration-bad"]\n', "repo/cloud.conf": FATAL})
        put(top, {"repo/ccmcheck.toml": 'extend = "../outside.toml"\n'})
        git(top / "repo", "init", "-q")
        done = run(top / "repo", "lint", ".")
        assert done.code == 2
        assert "`extend` leads out of" in done.err
        assert run(top / "repo", "lint", "--trust-checkout", ".").code == 0
        (top / "repo/inside.toml").symlink_to("../outside.toml")
        put(top, {"repo/ccmcheck.toml": 'extend = "inside.toml"\n'})
        assert "`extend` leads out of" in run(top / "repo", "lint", ".").err

    def test_extend_comes_from_the_revision(self, tmp_path: Path) -> None:
        put(tmp_path, {"base.toml": "", "a/ccmcheck.toml": 'extend = "../base.toml"\n', "a/cloud.conf": FATAL})
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "base")
        put(tmp_path, {"base.toml": 'ignore = ["duration-bad"]\n', "b/ccmcheck.toml": 'ignore = ["duration-bad"]\n'})
        put(tmp_path, {"b/cloud.conf": FATAL})
        assert findings(tmp_path, ".") == set()
        both = {("a/cloud.conf", "duration-bad", "error"), ("b/cloud.conf", "duration-bad", "error")}
        assert findings(tmp_path, "--config-from=HEAD", ".") == both
        put(tmp_path, {"a/ccmcheck.toml": 'extend = "new.toml"\n', "a/new.toml": ""})
        assert findings(tmp_path, "--config-from=HEAD", "--config=a/ccmcheck.toml", ".") == both
        git(tmp_path, "add", "a/ccmcheck.toml")
        git(tmp_path, "commit", "-q", "-m", "without what it extends")
        done = run(tmp_path, "lint", "--config-from=HEAD", "a")
        assert done.code == 2
        assert "`extend` names a file that is not there: new.toml" in done.err


BUILT_IN = f"  default-exclude (built in): {' '.join(DEFAULT_EXCLUDE)}\n"


class TestConfigCommand:
    def test_show_says_what_holds_and_from_where(self, top: Path) -> None:
        put(top, {"ccmcheck.toml": 'fail-on = "error"\n[vars]\nKEY = "hunter2"\n[severity]\nduration-bad = "off"\n'})
        put(
            top,
            {
                "sub/ccmcheck.toml": 'extend = "../ccmcheck.toml"\nrelease = "1.31"\n\n[[override]]\npaths = ["x/"]\nrelease = "1.29"\n'
            },
        )
        put(top, {"sub/x/cloud.conf": RIGHT})
        done = run(top, "config", "show", "sub/x/cloud.conf", "sub")
        assert done.code == 0, done.err
        assert done.out == (
            "sub/x/cloud.conf  sub/ccmcheck.toml\n"
            "  extends ccmcheck.toml\n"
            '  release                ["1.29"]  sub/ccmcheck.toml:6 (override 1)\n'
            '  fail-on                "error"   ccmcheck.toml:1\n'
            '  severity.duration-bad  "off"     ccmcheck.toml:5\n'
            '  vars.KEY               "***"     ccmcheck.toml:3\n'
            f"{BUILT_IN}"
            "sub  sub/ccmcheck.toml\n"
            "  extends ccmcheck.toml\n"
            '  release                ["1.31"]  sub/ccmcheck.toml:2\n'
            '  fail-on                "error"   ccmcheck.toml:1\n'
            '  severity.duration-bad  "off"     ccmcheck.toml:5\n'
            '  vars.KEY               "***"     ccmcheck.toml:3\n'
            f"{BUILT_IN}"
        )
        shown = json.loads(run(top, "config", "show", "--format=json", "sub/x/cloud.conf").out)["files"][0]
        assert shown["config"] == str(top / "sub/ccmcheck.toml")
        assert shown["extends"] == [str(top / "ccmcheck.toml")]
        assert shown["settings"][0] == {
            "option": "release",
            "value": ["1.29"],
            "path": str(top / "sub/ccmcheck.toml"),
            "line": 6,
            "override": 1,
        }
        assert "hunter2" not in done.out

    def test_show_without_a_configuration(self, top: Path) -> None:
        assert run(top, "config", "show").out == f".  no configuration\n{BUILT_IN}"
        put(top, {"ccmcheck.toml": "nodes = 3\n"})
        assert run(top, "config", "show", "--no-config").out == f".  no configuration\n{BUILT_IN}"
        put(top, {"ccmcheck.toml": "default-exclude = true\n"})
        assert run(top, "config", "show").out.endswith(BUILT_IN.replace("built in", "ccmcheck.toml:1"))
        put(top, {"ccmcheck.toml": "default-exclude = false\n"})
        assert run(top, "config", "show").out == ".  ccmcheck.toml\n  default-exclude  false  ccmcheck.toml:1\n"

    def test_wrong_use(self, top: Path) -> None:
        assert run(top, "config", "schema", "x").code == 2
        assert run(top, "config", "show", "-").code == 2
        assert run(top, "config").code == 2


def test_patterns_mean_the_same_in_an_extended_file(top: Path) -> None:
    put(top, {"base.toml": 'exclude = ["sub/gen/"]\n[per-path-ignores]\n"*.x" = ["duration-bad"]\n'})
    own = 'extend = "../base.toml"\n[per-path-ignores]\n"here/" = ["duration-bad"]\n'
    put(top, {"sub/ccmcheck.toml": own, "sub/gen/cloud.conf": FATAL, "sub/cloud.conf": FATAL})
    put(top, {"sub/here/cloud.conf": FATAL, "here/cloud.conf": FATAL, "sub/there/here/x": NOTED})
    expected = {("sub/cloud.conf", "duration-bad", "error"), ("here/cloud.conf", "duration-bad", "error")}
    assert {one for one in findings(top, ".") if one[2] == "error"} == expected


def test_secrets_of_every_configuration_are_hidden(top: Path) -> None:
    for name, secret in (("a", "hunter-two-1"), ("b", "hunter-two-2")):
        put(top, {f"{name}/ccmcheck.toml": f'[vars]\nOS_PASSWORD = "{secret}"\n'})
        put(top, {f"{name}/cloud.conf": RIGHT + "monitor-delay = ${OS_PASSWORD}\n"})
    for command in ("lint", "show", "read", "fix"):
        done = run(top, command, "a", "b")
        assert "hunter-two" not in done.out + done.err, command
