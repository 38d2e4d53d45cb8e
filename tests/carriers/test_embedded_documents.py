"""Cloud.confs in documents: fenced, indented and literal blocks, and what an example applies to."""

from __future__ import annotations

import pytest
from carrying import CONF, indent, only, place, routes

from ccmcheck.carriers import find
from ccmcheck.conf.nearby_conf import is_for_ccm
from ccmcheck.gcfg import parse

SECRET = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config}}\nstringData:\n  cloud.conf: |\n    {indent(CONF, 4)}"


class TestDocuments:
    def test_a_fenced_block_in_a_list(self) -> None:
        text = f"1. Do this:\n\n   ```ini\n   {indent(CONF, 3)}   ```\n\n   auth-url = [Global]\n"
        carried = only("README.md", text)
        assert carried.text == CONF
        assert carried.carrier == "Markdown"
        assert place(carried, "monitor-delay") == (12, 4, "monitor-delay")

    def test_a_manifest_a_script_and_a_quotation(self) -> None:
        quoted = "".join(f"> {line}\n" for line in f"```\n{CONF}```".splitlines())
        text = f"```yaml\n{SECRET}```\n\n```sh\ncat > cloud.conf <<EOF\n{CONF}EOF\n```\n\n{quoted}"
        assert routes("x.markdown", text) == [
            'fenced block › Secret cloud-config › stringData["cloud.conf"]',
            "fenced block › heredoc cloud.conf",
            "fenced block",
        ]

    @pytest.mark.parametrize("omission", ["...", "…", "[...]", "<more keys>"])
    def test_a_line_that_stands_for_more_is_unknown(self, omission: str) -> None:
        carried = only("x.md", f"```ini\n[Global]\nauth-url=x\n{omission}\n```\n")
        assert [carried.text[slice(*mark)] for mark in carried.marks] == [omission]
        assert not parse(carried.stack.inner).stops
        text = f"```yaml\nkind: Secret\nmetadata: {{name: x}}\nstringData:\n  cloud.conf: |\n    [Global]\n    {omission}\n```\n"
        assert not parse(only("x.md", text).stack.inner).stops

    @pytest.mark.parametrize("opening", ["<<EOF", "<<-EOF", '<< "EOF"'])
    def test_a_heredoc_of_terraform_may_have_blanks_behind_its_end(self, opening: str) -> None:
        text = f'```hcl\nresource "x" "y" {{\n  config = {opening}\n{CONF}EOF   \n  }}\n}}\n```\n'
        assert only("x.md", text).text == CONF.rstrip() + "\n"

    def test_a_key_alone_does_not_hide_the_line_below(self) -> None:
        text = f"{{{{ template }}}}\nkey: [\n{CONF}create-monitor\n}}\n"
        assert "}" not in only("x.yaml", text).text

    def test_what_is_not_closed_ends_with_the_document(self) -> None:
        assert only("x.md", f"```\n{CONF}").text == CONF

    def test_an_indented_block(self) -> None:
        assert only("x.md", f"Text:\n\n    {indent(CONF, 4)}\nMore.\n").text.rstrip() == CONF.rstrip()

    def test_a_heredoc_in_a_command_substitution(self) -> None:
        text = f'```bash\nexport CLOUD_CONF="$(cat <<EOF\n{CONF}EOF\n)"\n```\n'
        carried = only("x.md", text)
        assert carried.text == CONF
        assert place(carried, "monitor-delay") == (11, 1, "monitor-delay")

    @pytest.mark.parametrize("opening", ["{% highlight ini %}", "{%- highlight ini linenos -%}"])
    def test_a_highlighted_block(self, opening: str) -> None:
        carried = only("_posts/x.markdown", f"Text:\n\n{opening}\n{CONF}{{% endhighlight %}}\n\n[Global] = no\n")
        assert carried.text == CONF
        assert carried.route == "fenced block"

    def test_asciidoc(self) -> None:
        assert only("x.adoc", f"[source,ini]\n----\n{CONF}----\n[Global] = no\n").text == CONF

    @pytest.mark.parametrize("around", ["====\n", "\n", "[literal]\n"])
    def test_literal_paragraphs_of_asciidoc(self, around: str) -> None:
        carried = only("x.adoc", f"Text that\n goes on.\n{around}    {indent(CONF, 4)}{around}<1> (required)\n")
        assert carried.text.rstrip() == CONF.rstrip()
        assert place(carried, "monitor-delay")[1] == 5

    def test_signs_of_notes_are_no_part_of_a_value(self) -> None:
        text = "[Global]\nauth-url=https://a // <1>\nregion=a # <2> <3>\n[LoadBalancer]\nmonitor-max-retries=3 <.>\n"
        carried = only("x.adoc", f"----\n{text}----\n")
        assert [carried.text[slice(*mark)].strip() for mark in carried.marks] == ["// <1>", "# <2> <3>", "<.>"]

    @pytest.mark.parametrize("opening", [".. code-block:: ini\n   :name: x\n", "Like this::\n", "::\n"])
    def test_restructured_text(self, opening: str) -> None:
        carried = only("x.rst", f"Title\n=====\n\n{opening}\n   {indent(CONF, 3)}\nauth-url = no\n")
        assert carried.text.rstrip() == CONF.rstrip()

    def test_an_example_applies_to_no_service(self) -> None:
        assert not is_for_ccm(only("README.md", f"```\n{CONF}```\n"))
        assert is_for_ccm(only("x.sh", f"cat > cloud.conf <<E\n{CONF}E\n"))

    def test_an_example_says_nothing_about_other_files(self) -> None:
        pod = "kind: DaemonSet\nspec: {template: {spec: {containers: [{image: openstack-cloud-controller-manager:v1.20.0}]}}}\n"
        assert find("x.sh", f"cat <<EOF\n{pod}EOF\n").pods
        assert not find("x.md", f"```yaml\n{pod}```\n").pods
