"""What is masked, what is not, and that masking stays linear."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.model import Span
from ccmcheck.gcfg import parse
from ccmcheck.redact import names
from ccmcheck.redact.masker import MASK, Masker, is_secret_name, mask_message, mask_text, mask_value, quotes_no_secret
from ccmcheck.redact.run_secrets import hiding

VALUE = "Zq9xWv-value"

SECRET_NAMES = [
    "password", "PASSWORD", "trustee-password", "application-credential-secret", "token", "secret", "passwd", "pwd", "pw",
    "pass", "adminPass", "OS_PASSWORD", "applicationCredentialSecret", "application_credential_secret", "auth-token",
    "private-key", "credential", "credentials", "passphrase",
    # misspelt
    "pasword", "passwrod", "passwort", "passsword", "pssword", "auth-pasword", "os_paswod", "secert", "sceret", "tokn",
    "aplication-credential-secert", "applicationcredentialsecrt", "trusteepasword", "Pasword",
]  # fmt: skip
OPEN_NAMES = [
    "auth-url", "username", "region", "server", "taken", "application-credential-id", "application-credential-name",
    "secret-name", "secret-namespace", "tenant-id", "passthrough", "monitor-delay", "create-monitor", "address", "domain-name",
    "search-order", "server-port", "router-id", "section", "use-clouds",
]  # fmt: skip


@pytest.mark.parametrize("name", SECRET_NAMES)
@pytest.mark.parametrize("between", ["=", " = ", ": ", '= "', " "])
def test_what_follows_a_name_of_a_secret_is_masked(name: str, between: str) -> None:
    if between == " " and name.startswith("credential"):
        pytest.skip("prose says `credential` too often")
    masked = mask_text(f"[Global]\n{name}{between}{VALUE}\nregion=x\n")
    assert VALUE not in masked
    assert name in masked
    if between != '= "':
        assert masked.endswith("\nregion=x\n")
    assert is_secret_name(name)


@pytest.mark.parametrize("name", OPEN_NAMES)
def test_other_values_are_shown(name: str) -> None:
    text = f"[Global]\n{name} = {VALUE}\n"
    assert mask_text(text) == text
    assert not is_secret_name(name)


def test_an_image_is_shown() -> None:
    image = "docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.26.0"
    assert mask_text(f"image: {image}\n") == f"image: {image}\n"


def test_a_repository_with_k8s_in_its_name_is_shown() -> None:
    assert mask_text("source = SovereignCloudStack/k8s-cluster-api-provider").endswith("cluster-api-provider")


def test_a_blob_is_masked_and_a_long_name_is_not() -> None:
    blob = "VGhpcyBpcyBhIHNlY3JldCBvZiBmb3J0eSBjaGFyYWN0ZXJz"
    assert mask_text(f"x: {blob}\n") == f"x: {MASK}\n"
    for name in (
        "${OPENSTACK_LOADBALANCER_FLOATING_NETWORK_ID}",
        "{{ external_openstack_lbaas_floating_network_id }}",
        "/etc/kubernetes/openstack-cloud-controller-manager/certificates/ca",
    ):
        assert mask_text(f"x: {name}\n") == f"x: {name}\n"


def test_quotes_inside_a_template_mark_do_not_mask_the_rest() -> None:
    text = '[Global]\npassword="{{ the_password }}"\n{% if a_secret != "" %}\nregion="{{ r }}"\n'
    assert mask_text(text).endswith('region="{{ r }}"\n')


def test_an_open_quote_masks_to_the_next_one_and_a_backslash_joins() -> None:
    assert mask_text('password = "a\nb\nc" # d\nregion=x\n') == f"password = {MASK}\nregion=x\n"
    assert mask_text("password = a\\\r\nb\nregion=x\n") == f"password = {MASK}\nregion=x\n"
    assert mask_text('password = "a\nregion=x\n') == f"password = {MASK}\nregion=x\n"


def test_a_value_that_slipped_to_the_next_line_is_masked() -> None:
    for before in ("password =\n", 'password = "\n', "password =  \r\n  ", 'password = "x\n', "password =\n\n"):
        assert mask_text(f"{before}{VALUE}\nregion=x\n").endswith(f"{MASK}\nregion=x\n")
        assert VALUE not in mask_text(f"{before}{VALUE}")
    for line in ("[LoadBalancer]", "region = x", "# comment", "auth-url: x"):
        assert mask_text(f"password =\n{line}\n") == f"password =\n{line}\n"


def test_a_short_secret_is_masked_in_messages_only_as_a_word() -> None:
    masker = Masker("[Global]\npassword=pass\n")
    assert masker.scrub('logs in with a password: invalid "pass"') == f'logs in with a password: invalid "{MASK}"'
    longer = Masker("[Global]\npassword=pass1234\n")
    assert longer.scrub("xPASS1234y") == f"x{MASK}y"


@pytest.mark.part(of=3)
@pytest.mark.parametrize(
    "text",
    [
        'password="\n' + "x\n" * 200_000 + '"',
        "password=" + " " * 1_000_000,
        "password=a\\\n" * 100_000,
        'password="a\n' * 100_000,
        "\n".join(f"pasw{number}rd=x" for number in range(50_000)),
        "://a:" * 100_000,
        "password " * 100_000,
    ],
    ids=["open quote", "blanks", "joined", "quotes", "names", "addresses", "words"],
)
def test_hostile_text_costs_no_more_than_twice_for_twice_as_much(text: str) -> None:
    def cost(part: str) -> float:
        names._is_secret_name.cache_clear()  # of the other text
        started = time.process_time()
        mask_text(part)
        return time.process_time() - started

    assert cost(text) < 5 * max(cost(text[: len(text) // 2]), 0.05)


@given(st.text('ab\\"#;=\n\r []password', max_size=60))
def test_the_value_of_a_password_is_never_left(text: str) -> None:
    masker = Masker(text)
    for section in parse(text).sections:
        for entry in section.entries:
            value = entry.value_span
            if entry.key == "password" and value is not None:
                for low, high in (value,):
                    shown = "".join(piece for start, _, piece in masker.pieces(low, high) if piece != MASK or start < 0)
                    assert not shown.strip('" \t\r\\')


def test_nul_hides_no_name() -> None:
    wide = f"[Global]\npassword = {VALUE}\nregion = x\n".encode("utf-16-le").decode()
    assert mask_text(wide).replace("\0", "") == f"[Global]\npassword = {MASK}\nregion = x\n"
    assert mask_text(f"pass\0word={VALUE[:3]}\0{VALUE[3:]}\nx=1\n") == f"pass\0word={MASK}\nx=1\n"


def test_a_line_is_underlined_where_it_is() -> None:
    text = "password=abc\nregion = x\n"
    assert Masker(text).line(0, 12, Span(0, 8)) == (f"password={MASK}", 0, 8)
    assert Masker(text).line(0, 12, Span(9, 12)) == (f"password={MASK}", 9, 4)
    assert Masker(text).line(13, 23, Span(22, 23)) == ("region = x", 9, 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("delete the line", True),
        ("write `3s`", True),
        ("write `hunter2`", False),
        ("write `a` for `abcd`", False),
        ("an odd ` one with hunter2", False),
        ("", True),
    ],
)
def test_what_quotes_no_secret(words: str, *, expected: bool) -> None:
    assert quotes_no_secret(words) is expected


def test_a_secret_with_escaped_quotes_is_masked_as_it_is_read() -> None:
    masker = Masker('[Global]\npassword = "p@ss/w\\"or d\\\\Xy"\n')
    for quoted in (r'p@ss/w"or d\Xy', r"p@ss/w\"or d\\Xy"):
        assert masker.scrub(f"sent {quoted} at") == "sent **** at"


@pytest.mark.parametrize(
    ("own", "other", "message"),
    [
        ("hunter2-secret", "start-hunter2-secret-end", "start-hunter2-secret-end"),
        ("hunter2-secret", "hunter2-secret-and-more", "hunter2-secret-and-more"),
        ("bbbbccccdddd", "aaaaaabbbbcccc", "aaaaaabbbbccccdddd"),
        ("aaaaaabbbbcccc", "bbbbccccdddd", "aaaaaabbbbccccdddd"),
    ],
)
def test_a_secret_that_holds_or_overlaps_one_of_another_text_is_masked_whole(
    own: str, other: str, message: str
) -> None:
    for masker in (
        Masker(f"[Global]\npassword={own}\n", frozenset({other})),
        Masker(f"[Global]\npassword={other}\n", frozenset({own})),
        Masker(f"[Global]\npassword={own}\ntrustee-password={other}\n"),
    ):
        assert masker.scrub(f"got {message} here") == f"got {MASK} here"


def test_overlapping_secrets_of_a_run_are_masked_whole() -> None:
    with hiding(frozenset({"aaaaaabbbbcccc", "bbbbccccdddd"})):
        assert mask_text("got aaaaaabbbbccccdddd here") == f"got {MASK} here"


@pytest.mark.parametrize("value", ["pasword={}", "x pasword={}", "a=x pasword={}", "password {}", "x, tokn: {}"])
def test_a_secret_in_a_public_value_is_masked_in_its_line_and_in_messages(value: str) -> None:
    whole, shown = value.format(VALUE), value.format(MASK)
    masker = Masker(f"[Global]\nauth-url = {whole}\n")
    assert masker.line(9, 20 + len(whole), Span(9, 10))[0] == f"auth-url = {shown}"
    assert masker.scrub(f'time: invalid duration "{whole.lower()}"') == f'time: invalid duration "{shown}"'
    assert masker.scrub("write `token x` and `password = hunter2-y`") == "write `token x` and `password = hunter2-y`"
    assert mask_value(whole) == shown


MESSAGES = [
    ("secret.yaml: there is no such file or folder", ""),
    ("t/secret.yaml.j2: the template takes more than 5 s of processor time.", ""),
    ("t/secret.yaml.j2:1: `x` is undefined.", ""),
    (f"secret.yaml:3: password = {VALUE}", f"secret.yaml:3: password = {MASK}"),
    (f"pass={VALUE}.yaml: no", f"pass={MASK}"),
    (f"https://u:{VALUE}@h/a.yaml: no", f"https://{MASK}@h/a.yaml: no"),
    (f"secret: {VALUE}", f"secret: {MASK}"),
    (f"secret.y: {VALUE}", f"secret.y: {MASK}"),
]


@pytest.mark.parametrize(("message", "shown"), MESSAGES)
def test_a_file_that_a_message_begins_with_names_no_secret(message: str, shown: str) -> None:
    assert mask_message(message) == (shown or message)
