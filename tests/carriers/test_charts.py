"""The upstream chart's values: what it renders from them, where that comes from, and how a change gets back."""

from __future__ import annotations

from pathlib import Path

import pytest
from carrying import CHART_RENDERED, CHART_VALUES, CONF, indent, only, place
from command_line import put, run

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.carriers import CarriedConf, find


def change(carried: CarriedConf, old: str, new: str) -> str:
    """Replace one text of the rendered cloud.conf, and give back the whole file as changed."""
    start = carried.text.index(old)
    return apply(carried.stack.text, carried.stack.put([Edit(start, start + len(old), new)]))


class TestMap:
    def test_it_is_rendered_as_the_chart_does_it(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        assert carried.text == carried.stack.inner == CHART_RENDERED
        assert carried.carrier == carried.subject == "Helm values"
        assert carried.route == "Helm values › cloudConfig"
        assert carried.consumers == ("ccm",)
        assert carried.final
        assert carried.marks == ()

    def test_places(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        assert place(carried, "monitor-delay") == (5, 5, "monitor-delay")
        assert place(carried, '"3"') == (5, 20, "3")
        assert place(carried, '"ovn"') == (6, 18, '"ovn"')
        assert place(carried, "ovn") == (6, 19, "ovn")
        assert place(carried, "keystone") == (8, 23, "keystone")
        assert place(carried, "[LoadBalancer]") == (2, 3, "loadBalancer")
        assert place(carried, "region") == (9, 5, "region")
        assert place(carried, 'monitor-delay = "3"') == (5, 5, "monitor-delay: 3")

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ('"3"', '"3s"', "    monitor-delay: 3s   # seconds"),
            ('"3"', "3s", "    monitor-delay: 3s   # seconds"),
            ('"3"', '"5"', "    monitor-delay: 5   # seconds"),
            ('"3"', '"1e3"', '    monitor-delay: "1e3"   # seconds'),
            ("monitor-delay", "monitor-timeout", "    monitor-timeout: 3   # seconds"),
            ('"ovn"', '"amphora"', '    lb-provider: "amphora"'),
            ("ovn", 'o\\"v', '    lb-provider: "o\\"v"'),
            ('"true"', '"false"', "    create-monitor: false"),
            ('"true"', '"yes"', '    create-monitor: "yes"'),
            ("region = ", 'region = ""', None),
            ("https", "http", "    auth-url: http://keystone.example.com/v3"),
        ],
    )
    def test_changes_get_back_to_the_values(self, old: str, new: str, line: str | None) -> None:
        carried = only("values.yaml", CHART_VALUES)
        if line is None:
            with pytest.raises(CannotEdit):
                change(carried, old, new)
            return
        changed = change(carried, old, new)
        differing = [
            now for was, now in zip(CHART_VALUES.splitlines(), changed.splitlines(), strict=True) if was != now
        ]
        assert differing == [line]
        again = only("values.yaml", changed).text
        if old == "monitor-delay":
            assert 'monitor-timeout = "3"' in again
        else:
            quoted = new if new.startswith('"') or old in ("ovn", "https") else f'"{new}"'
            assert again == CHART_RENDERED.replace(old, quoted)

    def test_a_value_for_a_key_without_one(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        at = carried.text.index("region = ") + len("region = ")
        changed = apply(CHART_VALUES, carried.stack.put([Edit(at, at, '"one"')]))
        assert "    region: one\n" in changed

    def test_a_removed_line(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        changed = change(carried, 'monitor-delay = "3"\n', "")
        assert changed == CHART_VALUES.replace("    monitor-delay: 3   # seconds\n", "")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("[LoadBalancer]", "[Loadbalancer]"),
            ("[Global]\n", ""),
            ('monitor-delay = "3"', 'monitor-delay = "3"\nmonitor-timeout = "1"'),
            ("monitor-delay", "a: b"),
        ],
    )
    def test_what_has_no_single_place_is_for_people(self, old: str, new: str) -> None:
        with pytest.raises(CannotEdit):
            change(only("values.yaml", CHART_VALUES), old, new)

    def test_a_removed_section(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        changed = change(carried, CHART_RENDERED[: CHART_RENDERED.index("[Global]")], "")
        assert (
            changed
            == CHART_VALUES[: CHART_VALUES.index("  loadBalancer")] + CHART_VALUES[CHART_VALUES.index("  global") :]
        )

    @pytest.mark.parametrize(
        ("after", "line", "added"),
        [
            ('lb-provider = "ovn"\n', 'lb-method = "SOURCE_IP_PORT"\n', "    lb-method: SOURCE_IP_PORT"),
            ('monitor-delay = "3"\n', "monitor-timeout = 3s\n", "    monitor-timeout: 3s"),
            ('create-monitor = "true"\n', 'max-shared-lb = "2"\n', "    max-shared-lb: 2"),
            ('create-monitor = "true"\n', 'a = "1e3"\n', '    a: "1e3"'),
            ('create-monitor = "true"\n', 'a = ""\n', '    a: ""'),
            ('create-monitor = "true"\n', 'a = "x: #y"\n', '    a: "x: #y"'),
        ],
    )
    def test_an_added_line(self, after: str, line: str, added: str) -> None:
        carried = only("values.yaml", CHART_VALUES)
        at = CHART_RENDERED.index(after) + len(after)
        changed = apply(CHART_VALUES, carried.stack.put([Edit(at, at, line)])).splitlines()
        (number,) = [number for number, now in enumerate(changed) if now == added]
        assert changed[:number] + changed[number + 1 :] == CHART_VALUES.splitlines()
        assert changed[number - 1].strip().startswith(after.partition(" ")[0])
        quoted = line if '"' in line else line.replace("3s", '"3s"')
        assert quoted in only("values.yaml", "\n".join(changed)).text

    @pytest.mark.parametrize(("at", "line"), [(-1, "\n[Networking]\npublic-network-name = x\n"), (1, "a = b\n")])
    def test_added_lines_end_as_the_others_do(self, at: int, line: str) -> None:
        windows = CHART_VALUES.replace("\n", "\r\n")
        offset = len(CHART_RENDERED) if at < 0 else CHART_RENDERED.index("\n") + 1
        changed = apply(windows, only("values.yaml", windows).stack.put([Edit(offset, offset, line)]))
        assert changed.count("\n") > windows.count("\n")
        assert "\n" not in changed.replace("\r\n", "")

    def test_an_added_section(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        end = len(CHART_RENDERED)
        changed = apply(CHART_VALUES, carried.stack.put([Edit(end, end, "\n[Networking]\npublic-network-name = x\n")]))
        assert changed == CHART_VALUES.replace("resources", "  networking:\n    public-network-name: x\nresources")

    @pytest.mark.parametrize("section", ["[Metadata]", "[LoadBalancerClass]", "[loadBalancer]"])
    def test_a_section_that_cannot_be_added(self, section: str) -> None:
        text = CHART_VALUES.replace("resources", "  metadata: {}\nresources")
        carried = only("values.yaml", text)
        with pytest.raises(CannotEdit):
            carried.stack.put([Edit(len(CHART_RENDERED), len(CHART_RENDERED), f"\n{section}\na = b\n")])

    def test_nothing_changes_nothing(self) -> None:
        assert only("values.yaml", CHART_VALUES).stack.put([]) == []

    def test_lists_maps_and_large_numbers(self) -> None:
        text = (
            "cloudConfig:\n  networking:\n    internal-network-name: [a, b]\n  global: {use-clouds: on, n: 1000000}\n"
        )
        carried = only("values.yaml", text)
        assert 'internal-network-name = "[a b]"' in carried.text
        assert 'use-clouds = "true"' in carried.text
        assert 'n = "1e+06"' in carried.text
        assert place(carried, '"[a b]"')[2] == "[a, b]"
        with pytest.raises(CannotEdit):
            change(carried, '"[a b]"', '"a"')
        with pytest.raises(CannotEdit):
            change(carried, 'use-clouds = "true"\n', "")
        at = carried.text.index("use-clouds")
        with pytest.raises(CannotEdit):
            carried.stack.put([Edit(at, at, 'region = "x"\n')])

    def test_a_section_of_another_name_is_not_printed(self) -> None:
        text = CHART_VALUES.replace("  loadBalancer:", "  loadbalancer:")
        assert only("values.yaml", text).text.count("=") == 3
        assert find("values.yaml", "cloudConfig:\n  Networking:\n    x: y\n").carried == []

    def test_keys_that_differ_in_case_come_in_the_chart_s_order(self) -> None:
        text = "cloudConfig:\n  global:\n    region: b\n    auth-url: x\n    Region: a\n"
        assert only("values.yaml", text).text == '[Global]\nRegion = "a"\nauth-url = "x"\nregion = "b"\n'

    def test_a_change_is_exact_wherever_it_is(self) -> None:
        carried = only("values.yaml", CHART_VALUES)
        for line in CHART_RENDERED.splitlines(keepends=True):
            if line == "\n":
                continue
            at = CHART_RENDERED.index(line) + len(line)
            edit = Edit(at, at, 'lb-method = "SOURCE_IP_PORT"\n')
            after = only("values.yaml", apply(CHART_VALUES, carried.stack.put([edit]))).text
            assert after == apply(CHART_RENDERED, [edit])

    def test_nothing_is_set(self) -> None:
        assert find("values.yaml", "cloudConfig:\n  global:\n  loadBalancer: {}\n").carried == []

    def test_a_map_of_a_secret_that_is_not_created_is_nobody_s(self, tmp_path: Path) -> None:
        text = f"secret: {{create: false}}\n{CHART_VALUES}"
        (carried,) = find("values.yaml", text).carried
        assert carried.consumers == ("nobody",)
        put(tmp_path, {"values.yaml": text.replace("create-monitor", "create-montior")})
        done = run(tmp_path, "lint", "-v")
        assert done.code == 0
        assert (
            "nothing reads `cloudConfig`: with `secret.create` or `secret.enabled` false the chart makes no Secret"
            in done.out
        )
        assert "read by nobody\n" in run(tmp_path, "list").out
        (carried,) = find("values.yaml", f"secret: {{enabled: no, create: true}}\n{CHART_VALUES}").carried
        assert carried.consumers == ("nobody",)
        assert len(find("values.yaml", f"secret: {{enabled: true}}\n{CHART_VALUES}").carried) == 1


class TestWhatIsNotKnown:
    def test_credentials_of_another_values_file(self) -> None:
        text = "cloudConfig:\n  global:\n    region: one\n  loadBalancer:\n    create-monitor: true\n"
        carried = only("values.yaml", text)
        (mark,) = carried.marks
        assert mark.start == mark.end == carried.text.index('"one"') + 5
        assert carried.final

    def test_what_a_merge_key_adds(self) -> None:
        text = "x: &x {username: u}\ncloudConfig:\n  global:\n    <<: *x\n    auth-url: https://k/v3\n  route: {router-id: r}\n"
        carried = only("values.yaml", text)
        assert carried.text == '[Global]\nauth-url = "https://k/v3"\n\n[Route]\nrouter-id = "r"\n'
        assert [mark.start for mark in carried.marks] == [carried.text.index('v3"') + 3]

    def test_what_a_merge_key_of_the_map_adds(self) -> None:
        text = "x: &x {metadata: {search-order: a}}\ncloudConfig:\n  <<: *x\n  global: {auth-url: https://k/v3}\n"
        carried = only("values.yaml", text)
        assert carried.text == '[Global]\nauth-url = "https://k/v3"\n'
        assert [mark.start for mark in carried.marks] == [len(carried.text) - 1]

    def test_marks_in_values(self) -> None:
        text = 'cloudConfig:\n  global:\n    auth-url: "${URL}"\n    region: one\n'
        carried = only("values.yaml", text)
        assert [carried.text[mark.start : mark.end] for mark in carried.marks] == ['"xxxxxx"']
        assert place(carried, '"xxxxxx"') == (3, 15, '"${URL}"')

    def test_conditions_between_keys(self) -> None:
        text = """\
cloudConfig:
  global:
    auth-url: https://x
  loadBalancer:
    create-monitor: true
    {{- if .ovn }}
    lb-provider: ovn
    {{- end }}
"""
        carried = only("values.yaml.gotmpl", text)
        assert not carried.final
        assert [mark.start for mark in carried.marks] == [carried.text.index('"ovn"') + 5]


class TestText:
    def test_it_wins_over_the_map(self) -> None:
        text = f"{CHART_VALUES}cloudConfigContents: |\n  {indent(CONF, 2)}"
        carried = only("values.yaml", text)
        assert carried.text == CONF
        assert carried.route == "Helm values › cloudConfigContents"
        assert place(carried, "monitor-delay")[:2] == (21, 3)

    def test_an_empty_one_does_not(self) -> None:
        assert only("values.yaml", f'{CHART_VALUES}cloudConfigContents: ""\n').text == CHART_RENDERED
