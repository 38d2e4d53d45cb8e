"""What the command says of what is wrong: what, where, what to do; an exit code of 2; no traceback and no secret."""

from __future__ import annotations

import base64

import pytest
from rendering_aids import SECRET, Folder

from ccmcheck.base.child import ChildLimits
from ccmcheck.render import rendering

LEAKS = [
    SECRET,
    SECRET.lower(),
    *(base64.b64encode(("x" * shift + SECRET).encode()).decode()[4:16] for shift in range(3)),
]


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (("secrte",), "There is no template `secrte`.", "Did you mean `secret`?"),
        (("zzzzzzz",), "There is no template `zzzzzzz`.", "There are cloud.conf, secret, configmap, kustomize, "),
        (("secret", "--clouds=gone.yaml"), "There is no gone.yaml.", "It should be a clouds.yaml."),
        (("secret",), "clouds.yaml has several clouds: app, user.", "Choose one with --cloud NAME or OS_CLOUD."),
        (("secret", "--cloud=usr"), "There is no cloud `usr` in clouds.yaml.", "Did you mean `user`?"),
        (("secret", "--cloud=app", "--region=x"), "The cloud app has no region `x`.", "It has RegionOne."),
        (("secret", "--cloud=app", "--profile=upstraem"), "There is no profile `upstraem`.", "Did you mean `upstream`?"),
        (("secret", "--cloud=app", "--profile=x"), "There is no profile `x`.", "There are upstream, recommended, scs, "),
        (("secret", "--release=9.9"), "release 9.9 of the ccm is not known", ""),
        (("secret", "--set=create-montior=true"), "The CCM 1.36 knows no key `create-montior`.", "Did you mean `create-monitor`?"),
        (("secret", "--set=create-monitor=maybe"), "The CCM 1.36 would not start with this value of create-monitor", ""),
        (("secret", "--template-dir=gone"), "--template-dir gone cannot be read: no such file or directory.", ""),
        (("secret", "--cloud-config=empty.yaml"), "There is no cloud.conf in empty.yaml.", ""),
        (("secret", "--cloud-config=two.yaml"), "The 2 cloud.confs in two.yaml differ.", "Copy the one that is meant to a file of its own."),
        (("secret", "--cloud-config=cloud.conf.tmpl"), "Something still has to be put into the cloud.conf of cloud.conf.tmpl.", "Give the values of its variables with --var NAME=VALUE or --env-file FILE."),
        (("secret", f"--set=Global.password: {SECRET}"), "`Global.password: ****` has no value.", "Write --set Global.password: ****=VALUE."),
        (("secret", "--set=create-monitor"), "`create-monitor` has no value.", "Write --set create-monitor=VALUE."),
        (("secret", "--var=x"), "--var needs a name and a value", "Write --var NAME=VALUE."),
    ],
)  # fmt: skip
def test_wrong_use(args: tuple[str, ...], error: str, hint: str, folder: Folder) -> None:
    folder.write("empty.yaml", "nothing: here\n")
    folder.write(
        "two.yaml",
        "".join(
            f"---\nkind: Secret\nstringData: {{cloud.conf: '[LoadBalancer]\n\n    lb-method={n}'}}\n" for n in "ab"
        ),
    )
    folder.write("cloud.conf.tmpl", f"[Global]\nauth-url=${{URL}}\npassword={SECRET}\n")
    ran = folder.render(*args)
    first, *rest = [line for line in ran.err.splitlines() if not line.startswith("ccmcheck: for the CCM")]
    assert first.startswith(f"ccmcheck: error: {error}")
    assert hint in "".join(rest)
    assert (ran.code, ran.out) == (2, "")
    assert SECRET not in ran.err


def test_no_clouds_yaml_at_all(bare: Folder) -> None:
    ran = bare.render("secret")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("ccmcheck: error: There is no clouds.yaml in ., ")
    assert "Name one with --clouds FILE, or take settings over with --cloud-config FILE." in ran.err


@pytest.mark.parametrize(
    ("config", "code", "error"),
    [
        (f"[Global]\npassword={SECRET}\n[LoadBalancer]\nmonitor-delay = 3\n", 3, "error: c.conf: the CCM 1.31 would end with: time: missing unit in duration"),
        (f'[Global]\npassword="{SECRET}\n', 3, "error: c.conf: the CCM 1.31 would end with: 2:10: string not terminated"),
        (f"[Global]\npassword={SECRET}\0\n", 3, "error: c.conf: the CCM 1.31 would end with: 2:"),
        (f"kind: Secret\nstringData:\n  password: {SECRET}\n  cloud.conf: [oops {SECRET}\n", 3, "error: c.conf"),
        (None, 3, "error: c.conf: cannot be read: no such file or directory"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_taken_over(config: str | None, code: int, error: str, folder: Folder) -> None:
    if config is not None:
        folder.write("c.conf", config)
    ran = folder.render("secret", "--cloud-config=c.conf", "--release=1.31")
    assert (ran.code, ran.out) == (code, "")
    assert error in ran.err
    assert SECRET not in ran.err


BAD_TEMPLATES = {
    "{{ nowhere }}": ("bad.yaml.j2:1: 'nowhere' is undefined.", "Give it with --var NAME=VALUE, or a default in the template."),
    "a\n{{ sections()[0].entries[0].nothing }}": ("bad.yaml.j2:2: something in it is undefined.", "Give it with"),
    "{{ {}[word] }}": ("bad.yaml.j2:1: something in it is undefined.", "Give it with"),
    "a\n{% if %}": ("bad.yaml.j2:2: Expected an expression, got 'end of statement block'.", ""),
    "{% include 'gone.j2' %}": ("bad.yaml.j2: there is no template gone.j2.", ""),
    "{% include 'bad.yaml.j2' %}": ("bad.yaml.j2: the template includes itself.", ""),
    "{% include '../clouds.yaml' %}": ("bad.yaml.j2: there is no template ../clouds.yaml.", ""),
    "{{ cloud_conf.__globals__ }}": ("bad.yaml.j2: the template does something that no template may do.", ""),
    "{{ ''.__class__.__mro__ }}": ("bad.yaml.j2: the template does something that no template may do.", ""),
    "{{ sections()[0]._replace(name=1) }}": ("bad.yaml.j2: the template does something that no template may do.", ""),
    "{{ cloud_conf().foo() }}": ("bad.yaml.j2:1: something in it is undefined.", "Give it with"),
    "{{ cloud_conf() + 1 }}": ("bad.yaml.j2:1: the template fails with TypeError.", ""),
    "{{ range(10000000) }}": ("bad.yaml.j2:1: the template fails with OverflowError.", ""),
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}": ("bad.yaml.j2: the template takes more than 1 s of processor time", "Does it repeat something too often?"),
    "{% for a in range(99999) %}{% for b in range(99999) %}xxxxxxxx{% endfor %}{% endfor %}": ("bad.yaml.j2: the template ", "Does it repeat something too often?"),
    "{% macro a() %}{{ b() }}{{ b() }}{% endmacro %}{% macro b() %}{{ c() }}{{ c() }}{% endmacro %}{% macro c() %}{% for i in range(99999) %}{% for j in range(9) %}{% endfor %}{% endfor %}{% endmacro %}{% for i in range(99) %}{{ a() }}{% endfor %}": ("bad.yaml.j2: the template takes more than 1 s of processor time", ""),
    "{{ 10**(10**8) }}": ("bad.yaml.j2: the template takes more than ", "Does it repeat something too often?"),
    "{{ 'a' | center(1000000000) }}": ("bad.yaml.j2: the template takes more than 64 MiB of memory.", ""),
    "{{ ['a' * 1000000] * 1000 }}": ("bad.yaml.j2: the template takes more than 64 MiB of memory.", ""),
    "{{ cloud_conf(1, 2, 3) }}": ("bad.yaml.j2:1: the template fails with TypeError.", ""),
    "{{ word | nofilter }}": ("bad.yaml.j2:1: No filter named 'nofilter'.", ""),
    "\xff": ("bad.yaml.j2: the template is not UTF-8.", ""),
    "kind: Secret\nstringData:\n  cloud.conf: [\n": ("What the template makes cannot be read, line 4: not YAML: ", ""),
    "kind: Secret\nstringData:\n  cloud.conf: |\n    [LoadBalancer]\n    monitor-delay=3\n": ("The CCM 1.36 would not start with this: ", ""),
}  # fmt: skip


@pytest.mark.part(of=4)
@pytest.mark.parametrize("template", BAD_TEMPLATES)
def test_a_template_that_fails(template: str, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "LIMITS", ChildLimits(seconds=1, most_bytes=64 * 1024**2))
    error, hint = BAD_TEMPLATES[template]
    folder.write("mine/bad.yaml.j2", template.encode("latin-1"))
    ran = folder.render(
        "bad", "--template-dir=mine", "--cloud=user", f"--var=word={SECRET}", f"--var=password={SECRET}"
    )
    assert (ran.code, ran.out) == (2, ""), ran
    assert error in ran.err
    assert hint in ran.err
    assert not any(leak in ran.err for leak in LEAKS)


SHOWING = {
    "itself": "{{ cloud_conf() }}",
    "encoded": "{{ cloud_conf() | b64encode }}",
    "each": "{% for s in sections() %}{{ s.entries }}{{ s }}{% for e in s.entries %}{{ e.value }} {{ e.value | reverse }}{% endfor %}{% endfor %}",
    "variables": "{{ password }} {{ my_token | b64encode }}",
    "own": f"password: {SECRET}\n",
    "values": "{{ chart_values() }}",
    "failing": "{{ cloud_conf() | int(base=99) }}",
}


@pytest.mark.part(of=3)
@pytest.mark.parametrize("name", SHOWING)
def test_no_template_shows_a_secret(name: str, folder: Folder) -> None:
    folder.write(f"mine/{name}.conf.j2", SHOWING[name])
    for cloud in ("app", "user"):
        ran = folder.render(
            f"{name}.conf",
            "--template-dir=mine",
            f"--cloud={cloud}",
            f"--var=password={SECRET}",
            f"--var=my_token={SECRET}",
        )
        printed = ran.out + ran.err
        assert not any(leak in printed or leak[::-1] in printed for leak in LEAKS), printed


def test_the_leaks_would_be_seen(folder: Folder) -> None:
    folder.write("mine/own.conf.j2", "{{ cloud_conf() }}{{ cloud_conf() | b64encode }}")
    ran = folder.render("own.conf", "--template-dir=mine", "--cloud=user", "--with-secrets")
    assert SECRET in ran.out
    assert any(leak in ran.out for leak in LEAKS[2:])


def test_broken_files_of_clouds(folder: Folder) -> None:
    for name, content in (
        ("clouds.yaml", f"clouds: {{a: {{auth: {{password: {SECRET}"),
        ("clouds.yaml", f"clouds:\n  a:\n    auth: {{password: {SECRET}, token: [{SECRET}]}}\n"),
        ("secure.yaml", f"clouds:\n\tpassword: {SECRET}"),
        ("secure.yaml", f"clouds: {{user: {{auth: {{password: [{SECRET}]}}}}}}"),
    ):
        folder.write("clouds.yaml", "clouds: {user: {auth: {auth_url: https://k, username: u}}}")
        folder.write("secure.yaml", "")
        folder.write(name, content)
        ran = folder.render("secret", "-q")
        assert ran.code in (2, 3)
        assert ran.out == ""
        assert f"error: {name}:" in ran.err
        assert SECRET not in ran.err
