"""Where a clouds.yaml is looked for, which cloud is meant, and what is said of files that are wrong."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from rendering_aids import SECRET, Folder

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.render.clouds_yaml import Cloud, load, search_path


def cloud(name: str = "one", url: str = "https://k", **more: str) -> str:
    beside = "".join(f", {key}: {value}" for key, value in more.items())
    return f"  {name}: {{auth: {{auth_url: {url}, username: u}}{beside}}}\n"


def clouds(*entries: str) -> str:
    return "clouds:\n" + ("".join(entries) or cloud())


def url(loaded: Cloud) -> str:
    return loaded.auth["auth_url"]


def test_the_search_path_is_the_sdks(bare: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(bare.path / "home")
    assert search_path() == [".", f"{home}/.config/openstack", "/etc/xdg/openstack", "/etc/openstack"]
    monkeypatch.setenv("XDG_CONFIG_HOME", "/x")
    assert search_path()[1:3] == ["/x/openstack", f"{home}/.config/openstack"]


def test_the_nearest_file_counts(bare: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home = bare.write("home/.config/openstack/clouds.yml", clouds(cloud(url="https://home")))
    assert (url(load()), load().source) == ("https://home", str(at_home))
    bare.write("clouds.json", '{"clouds": {"one": {"auth": {"auth_url": "https://json"}}}}')
    assert (url(load()), load().source) == ("https://json", "clouds.json")
    bare.write("clouds.yaml", clouds(cloud(url="https://here")))
    assert (url(load()), load().source) == ("https://here", "clouds.yaml")
    named = bare.write("elsewhere/mine.yaml", clouds(cloud(url="https://named")))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(named))
    assert url(load()) == "https://named"
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(named) + ".gone")
    assert url(load()) == "https://here"
    assert url(load(str(at_home))) == "https://home"


def test_which_cloud_is_meant(bare: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    bare.write("clouds.yaml", clouds(cloud("one"), cloud("two")))
    with pytest.raises(WrongUse, match=r"clouds.yaml has several clouds: one, two\.") as several:
        load()
    assert several.value.hint == "Choose one with --cloud NAME or OS_CLOUD."
    monkeypatch.setenv("OS_CLOUD", "two")
    assert load().name == "two"
    assert load(name="one").name == "one"
    with pytest.raises(WrongUse, match=r"There is no cloud `tow` in clouds.yaml\.") as none:
        load(name="tow")
    assert none.value.hint == "Did you mean `two`?"
    with pytest.raises(WrongUse) as far:
        load(name="production")
    assert far.value.hint == "It has one, two."


def test_secure_and_public_files_beside_a_named_file_come_first(bare: Folder) -> None:
    named = bare.write("deploy/clouds.yaml", clouds(cloud(profile="vendor")))
    bare.write("secure.yaml", "clouds: {one: {auth: {password: here}}}\n")
    bare.write("clouds-public.yaml", "public-clouds: {vendor: {region_name: here}}\n")
    assert (load(str(named)).auth["password"], load(str(named)).region) == ("here", "here")
    bare.write("deploy/secure.yaml", "clouds: {one: {auth: {password: beside}}}\n")
    bare.write("deploy/clouds-public.yaml", "public-clouds: {vendor: {region_name: beside}}\n")
    assert (load(str(named)).auth["password"], load(str(named)).region) == ("beside", "beside")


def test_the_environment_may_name_the_secure_file(bare: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    bare.write("clouds.yaml", clouds())
    bare.write("secure.yaml", "clouds: {one: {auth: {password: here}}}\n")
    monkeypatch.setenv("OS_CLIENT_SECURE_FILE", str(bare.write("s", "clouds: {one: {auth: {password: there}}}\n")))
    assert load().auth["password"] == "there"


@pytest.mark.parametrize("private", ["", "other: 1\n", "clouds:\n", "clouds: {two: {auth: {password: x}}}\n"])
def test_a_secure_file_need_not_say_anything(private: str, bare: Folder) -> None:
    bare.write("clouds.yaml", clouds())
    bare.write("secure.yaml", private)
    assert "password" not in load().auth


def test_regions(bare: Folder) -> None:
    bare.write("clouds.yaml", clouds(cloud(regions="[A, {name: B, values: {interface: admin}}]")))
    first = load()
    assert (first.region, first.interface) == ("A", "")
    assert first.notes == ("cloud one: its first region, A, is taken; --region names another (B)",)
    assert (load(region="B").region, load(region="B").interface, load(region="B").notes) == ("B", "admin", ())
    with pytest.raises(WrongUse, match=r"The cloud one has no region `C`\.") as wrong:
        load(region="C")
    assert wrong.value.hint == "It has A, B."
    bare.write("clouds.yaml", clouds())
    assert load(region="any").region == "any"


def test_an_unknown_profile_is_reported(bare: Folder) -> None:
    bare.write("clouds.yaml", clouds(cloud(profile="ovh")))
    (note,) = load().notes
    assert note.startswith("cloud one names the profile ovh, which no clouds-public.yaml has")


def test_paths_of_the_home_are_made_whole(bare: Folder) -> None:
    bare.write("clouds.yaml", clouds(cloud(cacert="~/ca.pem")))
    assert load().cacert == str(bare.path / "home/ca.pem")


@pytest.mark.parametrize(
    "scalar",
    ["0123", "0x10", "1_000", "1.50", "1e3", "yes", "Off", "true", "12:30", "2001-01-01", ".5", "2001-01-01 00:00:00"],
)
def test_what_readers_take_for_different_things_needs_quotes(scalar: str, bare: Folder) -> None:
    bare.write("clouds.yaml", f"clouds:\n  one:\n    auth:\n      auth_url: https://k\n      password: {scalar}\n")
    with pytest.raises(WrongUse) as doubtful:
        load()
    assert doubtful.value.message.startswith(
        "clouds.yaml:5:17: some readers take this for a number, a date or a boolean"
    )
    assert doubtful.value.hint == "Put quotes around it."
    bare.write("clouds.yaml", f"clouds:\n  one:\n    auth:\n      auth_url: https://k\n      password: '{scalar}'\n")
    assert load().auth["password"] == scalar


@pytest.mark.parametrize("scalar", ["123", "-5", "1.5", "y", "N", "a:b", "12:ab", "2001-01", "=", "!x"])
def test_what_all_readers_take_for_the_same_needs_none(scalar: str, bare: Folder) -> None:
    bare.write("clouds.yaml", f"clouds:\n  one:\n    auth:\n      auth_url: https://k\n      password: {scalar}\n")
    assert load().auth.get("password", "") == ("" if scalar == "!x" else scalar)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "clouds.yaml names no clouds."),
        ("clouds:\n", "clouds.yaml names no clouds."),
        ("clouds: [one]\n", "clouds.yaml names no clouds."),
        ("- clouds\n", "clouds.yaml names no clouds."),
        (f"clouds:\n  one: {{auth: {{password: [{SECRET}]}}}}\n", "clouds.yaml:2:26: a text is needed here."),
        (f"clouds:\n  one: {{auth: x, password: {{a: {SECRET}}}}}\n", "clouds.yaml:2:28: a text is needed here."),
        (f"clouds:\n  one: {{verify: {SECRET}}}\n", "clouds.yaml:2:17: this must be true or false."),
        (f"clouds:\n  one: {{verify: 'false', x: {SECRET}}}\n", "clouds.yaml:2:17: this must be true or false."),
    ],
)
def test_what_is_wrong_is_said_without_what_stands_there(content: str, message: str, bare: Folder) -> None:
    bare.write("clouds.yaml", content)
    with pytest.raises(WrongUse) as wrong:
        load(name="one")
    assert wrong.value.message == message
    assert SECRET not in wrong.value.hint


@pytest.mark.parametrize(
    ("content", "place"),
    [(f"clouds:\n  one: [{SECRET}\n", "3:1"), (f"clouds:\n  a: {SECRET}: {SECRET}\n", "2:19"), ("a: \x07\n", "1:4")],
)
def test_what_is_no_yaml_is_reported_with_its_place(content: str, place: str, bare: Folder) -> None:
    bare.write("clouds.yaml", content)
    with pytest.raises(InputError) as broken:
        load()
    assert broken.value.message.startswith(f"clouds.yaml:{place}: not YAML: ")
    assert SECRET not in broken.value.message


def test_what_is_not_there(bare: Folder) -> None:
    with pytest.raises(WrongUse, match=r"There is no clouds.yaml in \., .*, /etc/openstack\.") as nowhere:
        load()
    assert nowhere.value.hint.startswith("Name one with --clouds FILE")
    with pytest.raises(WrongUse, match=r"There is no gone.yaml\."):
        load("gone.yaml")
    with pytest.raises(InputError, match="this is a folder, not a file"):
        load(str(bare.path))


BOMB = "a0: &a0 {x: y}\n" + "".join(
    f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], k: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 60)
)


@pytest.mark.parametrize(
    "content",
    [
        BOMB + "clouds:\n  one: {<<: *a59, auth: {<<: *a59, auth_url: https://k}}\n",
        "clouds:\n  one: &x {<<: *x, auth: &y {<<: [*y, *x], auth_url: https://k}}\n",
        "clouds:\n  one: {auth: {auth_url: https://k}, x: " + "[" * 90 + "]" * 90 + "}\n",
    ],
)
def test_hostile_files_take_no_time(content: str, bare: Folder) -> None:
    bare.write("clouds.yaml", content)
    start = time.process_time()
    assert url(load(name="one")) == "https://k"
    assert time.process_time() - start < 2


def test_a_cloud_does_not_show_its_values(folder: Folder) -> None:
    loaded = load(name="user")
    assert SECRET in loaded.auth["password"]
    assert repr(loaded) == "<Cloud user>"
    assert Path(loaded.source).resolve() == (folder.path / "clouds.yaml").resolve()
