"""Each sign of the table is found in its example, weighs what it says, and is told without the text's own words."""

from __future__ import annotations

import pytest

from ccmcheck.base.suggest import fold_name
from ccmcheck.carriers import find
from ccmcheck.catalog.signs import table
from ccmcheck.catalog.signs.scorer import names, recognise
from ccmcheck.catalog.signs.table import CLOUD_CONF, PROGRAMS, KnownBy, Sign

SIGNS = [(program, sign) for program, signs in PROGRAMS.items() for sign in signs]
OURS = {name: sign for name, sign in vars(table).items() if isinstance(sign, Sign)}


def _examples(sign: Sign) -> list[str]:
    """A text for each name of a sign, or the one of the table."""
    words = sign.names.split()
    return {
        "section": [f"[{word.replace('*', 'x')}]\n" for word in words],
        "key": [f"[Global]\n{word} = x\n" for word in words],
        "login": ["[Global]\n" + "".join(f"{word} = x\n" for word in words)],
        "host": [f"[Global]\nauth-url = https://a.{sign.names}/v2.0\n"],
        "json": [f'{{"{word}": ""}}\n' for word in words],
        "yaml": [f"a: b\n{word}:\n" for word in words],
        "begins": [f" {beginning} x\n" for beginning in sign.names.split("\n")],
    }[sign.form]


@pytest.mark.parametrize(("program", "sign"), SIGNS, ids=[f"{program}-{sign.form}" for program, sign in SIGNS])
def test_the_signs_of_another_program(program: str, sign: Sign) -> None:
    for text in _examples(sign):
        found = recognise(text, KnownBy.USER)
        weights = [weight for _, weight, of, _, _ in found.signs if of == program]
        assert sign.weight in weights, text
        if sign.weight > table.WEAK:
            assert not found.taken, text
            assert found.program, text


@pytest.mark.parametrize("sign", CLOUD_CONF, ids=lambda sign: sign.names[:20])
def test_other_forms_of_a_cloud_conf(sign: Sign) -> None:
    examples = {
        "a clouds.yaml": "---\nclouds:\n  a: {}\n",
        "the chart's values": "global:\n  a: b\n",
        "an openrc file": "# mine\nexport OS_AUTH_URL=https://keystone.example.com\n",
        "a Kubernetes manifest": "apiVersion: v1\n",
        "PEM": "-----BEGIN CERTIFICATE-----\n",
        "YAML": "---\n- a\n",
        "JSON": '{"a": {}}\n',
    }
    text = sign.example or examples[sign.names]
    for known_by in KnownBy:
        found = recognise(text, known_by)
        assert found.taken == (known_by in sign.known_by), known_by
        assert not found.taken or found.reason.startswith("it is ")


@pytest.mark.parametrize("name", OURS)
def test_what_weighs_for_and_against_a_cloud_conf(name: str) -> None:
    sign = OURS[name]
    found = recognise("[Global]\nauth-url = x\n" + sign.example)
    assert sign.weight in [weight for _, weight, program, _, _ in found.signs if not program]
    if sign.weight < 0:
        assert (sign.says, sign.weight) in [seen[:2] for seen in found.signs]


def test_generic_keys_are_keys_of_a_cloud_conf() -> None:
    known = {key for keys in names().keys.values() for key in keys}
    assert set(fold_name(table.GENERIC_KEY.names).split()) <= known


def test_a_sign_says_nothing_of_the_text_but_known_names() -> None:
    text = '[Global]\nauth-url = canary\ncanary = x\n[canary]\nlb1 canary=x\nx = ["canary"]\n'
    found = recognise(text)
    assert len(found.signs) == 6
    assert "canary" not in found.reason + str(found.signs)


def test_the_signs_are_in_the_order_of_the_text() -> None:
    text = "[LoadBalancer]\nalgorithm = x\nlb-provider = ovn\n[homes]\n"
    assert [(seen[0], seen[1], text[seen[3] : seen[4]]) for seen in recognise(text).signs] == [
        ("[LoadBalancer]", 1, "LoadBalancer"),
        ("unknown key", -1, "algorithm"),
        ("lb-provider", 2, "lb-provider"),
        ("[homes]", 2, "homes"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[Global]\nauth-url = x\nregion = y\n", "it has `[Global]`, `auth-url` and `region`"),
        ("[Global]\nregion = y\n", "it has `[Global]` and `region`, and no key that only the CCM has"),
        (
            "[Global]\nauth-url = x\na = b\nc = d\n",
            "it has `[Global]` and `auth-url`, and 2 unknown keys",
        ),
        ("[global]\nworkgroup = x\n", "its sections and keys are those of Samba's smb.conf"),
        ("[foo]\na = b\n", "none of its sections and keys are the CCM's"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    assert recognise(text).reason == reason


def test_what_was_not_enough_is_listed() -> None:
    (one,) = find("x.conf", "[Global]\nregion = y\n").not_taken
    assert hash(one.recognition)  # as records are that deployments are told apart by
    assert one.recognition is not None
    assert not one.recognition.taken
