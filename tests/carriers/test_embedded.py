"""Cloud.confs in scripts and Go templates: where they begin and end, and what around them is none."""

from __future__ import annotations

import pytest
from carrying import CONF, b64, indent, only, place, routes

from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.embedded import shell_lexer

NAMED = FindOptions(explicit=True)
SECRET = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config}}\nstringData:\n  cloud.conf: |\n    {indent(CONF, 4)}"


@pytest.mark.parametrize("options", [FindOptions(), NAMED], ids=["in a folder", "named"])
class TestScripts:
    ENV = """\
#!/bin/bash
SCRIPT=env.rc
while test $# -gt 0; do
  case "$1" in *) break ;; esac
done
T=$(mktemp /tmp/cloud.confXXX)
cat >> ${T} << EOF
[Global]
auth-url=${AUTH_URL}
EOF
if [[ "$NAME" != "" ]]; then
  echo "username=\\"${NAME}\\"" >> ${T}
fi
"""

    @pytest.mark.parametrize("name", ["env.rc", "env", "create.sh", "install", "x.sh.tpl", "user-data.tmpl", ".envrc"])
    def test_only_the_heredoc_is_a_cloud_conf(self, name: str, options: FindOptions) -> None:
        carried = only(name, self.ENV, options)
        assert carried.text == "[Global]\nauth-url=${AUTH_URL}\n"
        assert carried.route == "heredoc ${T}"
        assert carried.carrier == "shell script"
        assert carried.marks

    def test_a_file_that_is_appended_to_may_have_more_keys(self, options: FindOptions) -> None:
        carried = only("env.rc", self.ENV, options)
        assert carried.marks[-1] == (len(carried.text) - 1, len(carried.text) - 1)
        whole = only("env.rc", self.ENV.replace(">>", ">"), options)
        assert [whole.text[slice(*mark)] for mark in whole.marks] == ["${AUTH_URL}"]

    @pytest.mark.parametrize("opening", ["<<EOF", "<< EOF", "<<'EOF'", '<<"EOF"', "<<\\EOF", "<<E\\OF"])
    def test_every_spelling(self, opening: str, options: FindOptions) -> None:
        text = f"cat > /etc/kubernetes/cloud.conf {opening}\n{CONF}EOF\necho [Global] = no\n"
        carried = only("x.sh", text, options)
        assert carried.text == CONF
        assert place(carried, "monitor-delay") == (10, 1, "monitor-delay")

    def test_tabs_are_no_part_of_it(self, options: FindOptions) -> None:
        body = "".join(f"\t{line}\n" for line in CONF.splitlines())
        carried = only("x.sh", f"f() {{\n\tcat <<-EOF >cloud.conf\n{body}\tEOF\n}}\n", options)
        assert carried.text == CONF
        assert place(carried, "monitor-delay") == (11, 2, "monitor-delay")

    def test_what_the_shell_replaces_is_unknown(self, options: FindOptions) -> None:
        text = '[Global]\nauth-url=$URL\nuse-clouds=$(echo "a)b")\npassword=`pass x`\nregion=a\\$b\n'
        carried = only("x.sh", f"cat > cloud.conf <<EOF\n{text}EOF\n", options)
        assert [carried.text[slice(*mark)] for mark in carried.marks] == ["$URL", '$(echo "a)b")', "`pass x`"]
        assert carried.stack.inner.endswith("region=a$b\n")
        assert place(carried, "region") == (6, 1, "region")

    def test_a_manifest(self, options: FindOptions) -> None:
        text = f"cat <<EOF | kubectl apply -f -\n{SECRET}EOF\n"
        assert routes("x.sh", text, options) == ['heredoc › Secret cloud-config › stringData["cloud.conf"]']
        assert place(only("x.sh", text, options), "monitor-delay")[:2] == (15, 5)

    def test_a_heredoc_in_a_heredoc(self, options: FindOptions) -> None:
        text = f"cat > setup.sh <<'END'\ncat > cloud.conf <<'EOF'\n{CONF}EOF\nEND\n"
        assert routes("x.sh", text, options) == ["heredoc setup.sh › heredoc cloud.conf"]

    def test_quoted_texts(self, options: FindOptions) -> None:
        text = f"kubectl create secret generic x --from-literal=cloud.conf='{CONF}' -n kube-system\n"
        carried = only("x.sh", text, options)
        assert (carried.text, carried.route) == (CONF, "quoted text cloud.conf")
        double = CONF.replace('"', '\\"')
        assert only("x.sh", f'CONF="{double}"\n', options).stack.inner == CONF

    def test_quoted_texts_in_a_block_and_in_a_script_of_an_object(self, options: FindOptions) -> None:
        command = f"kubectl create secret generic x \\\n  --from-literal=cloud.conf='{CONF}' -n kube-system\n"
        assert only("README.md", f"Then:\n\n```bash\n{command}```\n", options).text == CONF
        assert only("README.md", f"```bash\nconf='{CONF}'\necho \"$conf\" | base64\n```\n", options).text == CONF
        script = "".join(f"          {line}\n" for line in command.splitlines())
        carried = only("deploy.yml", f"jobs:\n  deploy:\n    steps:\n      - run: |\n{script}", options)
        assert carried.text == CONF
        assert find("x.md", "```\nsay '[Global]\n' and \"[LoadBalancer]\n\"\n```\n", options).carried == []

    @pytest.mark.parametrize(
        "value", ['"x"', '"eA=="', '"x "', '""', "'x'", '"it\'s"', 'x # don\'t say "x"', "x # the users'"]
    )
    def test_a_quoted_value_above_a_section_begins_no_text(self, options: FindOptions, value: str) -> None:
        conf = f'[Global]\nauth-url = "https://x/v3"\nregion = {value}\n[LoadBalancer]\nlb-provider = "ovn"\n'
        texts = {
            "x.md": f"```ini\n{conf}```\n",
            "x.tf": f"locals {{\n  conf = <<EOT\n{conf}EOT\n}}\n",
            "x.sh": f"CONF=$(cat <<EOT\n{conf}EOT\n)\n",
            "x.yaml": "data:\n  x.sh: |\n"
            + "".join(f"    {line}\n" for line in ["cat <<EOT", *conf.splitlines(), "EOT"]),
        }
        for path, text in texts.items():
            assert only(path, text, options).text == conf, path

    def test_the_last_quote_of_a_value_is_not_the_first_of_a_text(self, options: FindOptions) -> None:
        conf = '[Global]\nauth-url="$URL"\nca-file=""\n[LoadBalancer]\nsubnet-id=\'$SUBNET\'\n[Networking]\n'
        assert only("x.sh", f"cat > cloud.conf <<EOF\n{conf}EOF\n", options).text == conf
        assert only("x.md", f"```\n{conf}```\n", options).text == conf

    def test_a_heredoc_beside_what_cannot_be_parsed_is_one_text(self, options: FindOptions) -> None:
        heredoc = f"cat > cloud.conf <<EOF\n{CONF}EOF\n"
        text = f"```bash\n{heredoc}cat <<EOF | kubectl apply -f -\nkind: StorageClass\nmetadata: {{a: [}}\nEOF\n```\n"
        assert [one.text for one in find("x.md", text, options).carried] == [CONF]
        assert [one.text for one in find("x.yaml", f"kind: Secret\n{heredoc}", options).carried] == [CONF]

    def test_what_can_be_parsed_beside_what_cannot_is_searched_once(self, options: FindOptions) -> None:
        lines = CONF.replace('"', '\\"').splitlines()
        folded = "\n\n".join(f"    {line}" for line in lines).lstrip()
        indented = "".join(f"    {line}\n" for line in CONF.splitlines())
        for value in (f"|\n{indented}", f'"{folded}\n\n    "\n'):
            secret = f"kind: Secret\nmetadata: {{name: cloud-config}}\nstringData:\n  cloud.conf: {value}"
            for text in (f"{secret}---\na: [\n", f"a: [\n---\n{secret}"):
                assert [one.carrier for one in find("x.yaml", text, options).carried] == ["Secret"]
            both = find("x.yaml", f"{secret}---\na: [\nx:\n{indented}", options)
            assert [one.carrier for one in both.carried] == ["Secret", "file"]

    def test_a_variable_in_base64(self, options: FindOptions) -> None:
        text = f'export OPENSTACK_CLOUD_PROVIDER_CONF_B64="{b64(CONF)}"  # for clusterctl\n'
        carried = only("clusterctl.env", text, options)
        assert (carried.text, carried.route) == (CONF, "OPENSTACK_CLOUD_PROVIDER_CONF_B64 (base64)")

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("x.sh", "a=1\n[Global]\nauth-url=x\n"),
            ("x.sh", "# cat <<EOF\n[Global]\nauth-url=x\nEOF\n"),
            ("x.sh", "echo 'cat <<EOF'\n[Global]\nauth-url=x\nEOF\n"),
            ("x.sh", "cat > smb.conf <<EOF\n[global]\nworkgroup = x\nEOF\n"),
            ("x.sh", "cat > kubelet.d/20-cloud-provider.conf <<E\n[Service]\nEnvironment=A=b\nE\n"),
            ("tool", "#!/usr/bin/env python3\nauth_url = 1\n[Global]\nauth-url=x\n"),
            ("Makefile", "A = b\nall:\n\techo [Global] auth-url=x\n"),
            ("Dockerfile", "FROM x\nENV A=b\n"),
            ("requirements.txt", "click>=8\nauth-url==1\n"),
            ("x.txt", "Name = value\nwrite [Global] and auth-url = x\n"),
        ],
    )
    def test_what_is_none(self, name: str, text: str, options: FindOptions) -> None:
        contents = find(name, text, options)
        assert contents.carried == []
        assert contents.broken == []

    @pytest.mark.parametrize("name", ["x.rc", "cloud.txt", "x.tpl", "x.tmpl", "x.env"])
    def test_a_whole_cloud_conf_stays_one(self, name: str, options: FindOptions) -> None:
        text = f"# comment\n\n{CONF}"
        assert only(name, text, options).text == text
        assert only(name, text, options).carrier == "file"

    def test_a_dockerfile(self, options: FindOptions) -> None:
        carried = only("Dockerfile", f"FROM x\nCOPY <<EOF /etc/kubernetes/cloud.conf\n{CONF}EOF\nRUN true\n", options)
        assert (carried.text, carried.route) == (CONF, "heredoc /etc/kubernetes/cloud.conf")

    def test_a_makefile(self, options: FindOptions) -> None:
        text = f"define CLOUD_CONF\n{CONF}region=$(REGION)\nendef\nall:\n\techo done\n"
        carried = only("Makefile", text, options)
        assert carried.route == "define CLOUD_CONF"
        assert [carried.text[slice(*mark)] for mark in carried.marks] == ["$(REGION)"]


class TestLiterals:
    @pytest.mark.parametrize("generator", ["secretGenerator", "configMapGenerator"])
    def test_of_a_kustomization(self, generator: str) -> None:
        text = f"kind: Kustomization\n{generator}:\n- name: x\n  literals:\n  - a=b\n  - |\n    cloud.conf={indent(CONF, 4)}"
        carried = only("kustomization.yaml", text)
        assert carried.text == CONF
        assert carried.key == "cloud.conf"
        assert place(carried, "monitor-delay") == (15, 5, "monitor-delay")

    def test_quotes_are_no_part_of_it(self) -> None:
        text = "secretGenerator:\n- literals: [\"cloud.conf='[Global]\\nauth-url=x\\n'\"]\n"
        assert only("kustomization.yaml", text).text == "[Global]\nauth-url=x\n"


class TestGoTemplates:
    HELPERS = f"""\
{{{{- define "cloud.conf" -}}}}
{CONF}{{{{- if .Values.ovn }}}}
lb-provider = ovn
{{{{- end }}}}
{{{{- end }}}}

{{{{- define "secret" -}}}}
apiVersion: v1
data: {{cloud.conf: {{{{ include "cloud.conf" . | b64enc }}}}}}
{{{{- end }}}}
"""

    @pytest.mark.parametrize("name", ["templates/_helpers.tpl", "cloud.conf.tpl"])
    def test_it_ends_with_the_define(self, name: str) -> None:
        carried = only(name, self.HELPERS)
        assert carried.route == 'define "cloud.conf"'
        assert carried.text.rstrip().endswith("lb-provider = ovn\n{{- end }}")
        assert not carried.final

    MANIFEST = """\
{{- define "provider" -}}
[Global]
{{ include "login" . }}
{{- end -}}
---
apiVersion: v1
kind: Secret
metadata: {name: cloud-config}
stringData:
  cloudprovider.conf: {{ include "provider" . }}
  cloud.conf: |
    [Global]
    auth-url = x
"""

    def test_a_manifest_that_defines_its_text(self) -> None:
        first, second = find("templates/secret.yaml", self.MANIFEST).carried
        assert first.text == '[Global]\n{{ include "login" . }}\n'
        assert (first.route, first.carrier, first.final) == ('define "provider"', "Go template", False)
        assert (second.subject, second.text) == ("Secret cloud-config", "[Global]\nauth-url = x\n")

    def test_a_text_that_nothing_calls_a_cloud_conf(self) -> None:
        text = self.MANIFEST.replace("cloudprovider.conf", "other.ini")
        assert [one.subject for one in find("templates/secret.yaml", text).carried] == ["Secret cloud-config"]

    def test_one_without_an_end_ends_with_the_next(self) -> None:
        text = f'{{{{ define "a" }}}}\n{CONF}{{{{ define "b" }}}}\nkind: x\n{{{{ end }}}}\n'
        assert only("x.tpl", text).text == CONF


def test_the_number_of_texts_is_limited() -> None:
    text = "".join(f"cat > a{number} <<EOF\n{CONF}EOF\n" for number in range(1_200))
    assert len(find("x.sh", text).carried) == 1_000


def test_a_long_script_is_read_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    step = shell_lexer._Lexer._step

    def counted(lexer: shell_lexer._Lexer, position: int) -> int:
        steps.append(position)
        return step(lexer, position)

    monkeypatch.setattr(shell_lexer._Lexer, "_step", counted)
    monkeypatch.setattr(shell_lexer, "_MOST_READ_AGAIN", 2_000)
    text = "it's \" $(( `\n" * 100
    shell_lexer.shell_texts(text)
    assert len(steps) < 4 * len(text)
    short = len(steps)
    monkeypatch.undo()
    monkeypatch.setattr(shell_lexer._Lexer, "_step", counted)
    shell_lexer.shell_texts(text)
    assert len(steps) - short > 2 * short  # short scripts are read again behind each quote
