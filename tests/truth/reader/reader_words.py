"""The words that the generator puts together: names of sections and keys, and values that are nearly right or wrong."""

from __future__ import annotations

# one letter a type: s string, b bool, u uint, i int, d duration, l list of strings, w word (a named string), m map
_GLOBAL_STRINGS = (
    "auth-url username user-id password tenant-id tenant-name trust-id domain-id domain-name region ca-file clouds-file "
    "cloud tenant-domain-id tenant-domain-name user-domain-id user-domain-name tlsinsecure tls-insecure cafilecontents "
    "trusteeid trustee-id trusteepassword trustee-password application-credential-id application-credential-name "
    "application-credential-secret cert-file key-file token secret-name secret-namespace kubeconfig-path"
)
_LB_STRINGS = (
    "lb-version subnet-id floating-network-id lb-method lb-provider floating-subnet-id network-id flavor-id "
    "availability-zone floating-subnet floating-subnet-tags default-tls-container-ref ingress-hostname-suffix "
    "member-subnet-id container-store node-selector"
)
_LB_BOOLS = (
    "use-octavia create-monitor manage-security-groups internal-lb cascade-delete enable-ingress-hostname enabled "
    "provider-requires-serial-api-calls"
)


def _words(text: str) -> tuple[str, ...]:
    """What stands between single spaces: other white space is part of a word."""
    return tuple(text.split(" "))


def _typed(letter: str, names: str) -> dict[str, str]:
    return dict.fromkeys(_words(names), letter)


# every key that any consumer in any release reads, by section
KEYS: dict[str, dict[str, str]] = {
    "Global": {**_typed("s", _GLOBAL_STRINGS), "use-clouds": "b", "os-endpoint-type": "w"},
    "LoadBalancer": {
        **_typed("s", _LB_STRINGS),
        **_typed("b", _LB_BOOLS),
        **_typed("d", "monitor-delay monitor-timeout"),
        **_typed("u", "monitor-max-retries monitor-max-retries-down"),
        "max-shared-lb": "i",
        "nodesecuritygroupids": "l",
        "lbclasses": "m",
    },
    "LoadBalancerClass": _typed(
        "s",
        "floating-network-id floating-subnet-id floating-subnet floating-subnet-tags network-id subnet-id member-subnet-id",
    ),
    "Networking": {
        "ipv6-support-disabled": "b",
        "public-network-name": "l",
        "internal-network-name": "l",
        "address-sort-order": "s",
    },
    "BlockStorage": {
        "bs-version": "s",
        **_typed("b", "trust-device-path ignore-volume-az rescan-on-resize ignore-volume-microversion"),
        "node-volume-attach-limit": "i",
    },
    "Metadata": {"search-order": "s", "request-timeout": "d"},
    "Route": {"router-id": "s"},
    "KeyManager": {"key-id": "s"},
}

UNKNOWN_SECTIONS = _words(
    "Router Foo load-balancer LoadBalancers default-LoadBalancerClass default-Global LBClasses Config x "
    "Глобал 名前 Global1 Glo-bal loadbalancerclasses Network"
)
UNKNOWN_KEYS = _words(
    "nope authurl AuthURL auth-urls create-montior user-name ca-file-contents node-security-group "
    "enable-health-monitor lb-classes key a x1 üser ключ mo0 monitor-delay- create monitor"
)
SUBSECTIONS = (
    "a",
    "b",
    "internal",
    "A",
    "a b",
    "é",
    "#;",
    '\\"',
    "\\\\",
    'x\\\\\\"y',
    " ",
    "\t",
    "[x]",
    "=",
    "default",
)

BOOLS = _words(
    "true True TRUE tRuE yes Yes YES on On 1 false False FALSE no No NO off OFF 0 t f y n T F enabled 2 01 00 1.0 -1 +1 "
    "true, 'true' truee tru truе ｔrue null ~ none ON# İ ſ"
)
INTEGERS = _words(
    "0 1 2 3 5 10 010 08 007 00 0x10 0xff 0xFF 0x1_0 0x_1 0x 0X1F 0b1 0B1 0o7 0O7 1_000 _1 1_ 1__0 -1 -0 +1 +2 ++1 --1 "
    "-0x10 +0x10 -010 +010 0x-1 1e3 1E3 1.0 1. .5 3s 3, 3;4 five ３ ٣ -- - + 18446744073709551615 18446744073709551616 "
    "4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 "
    "99999999999999999999999999 0xffffffffffffffff 0x10000000000000000 0xg 0xfg 1x 0x1x 00x1 10% ' 3 ' nan inf true 0_1 "
    "0x7fffffffffffffff 0x8000000000000000 -0x8000000000000000 000000000000000000000000000000001 0b 0o 08x 0x0x1"
)
DURATIONS = _words(
    "0 +0 -0 00 0s 5s 5 05s 10s 1m 1h30m 1h30m5s 500ms 999ms 1us 1µs 1μs 1ns 5.5s .5s 5.s .s . s -5s +5s --5s +-5s - + 5S "
    "5sec 5secs 5seconds 1d 1w 5m3 5s5s 5s1m 1.5h 1e3s 0x5s 5_0s 5,5s 1:30 00:05 PT5S 5min ５s 5秒 5\u00a0s 5.5.5s "
    "0.0000000001s 0.9s -0.5s -.5s -.s +.s 9223372036s 9223372037s 2562047h47m16s 2562047h47m16.854775807s "
    "2562047h47m16.854775808s -2562047h47m16.854775808s 9223372036854775807ns 9223372036854775808ns -9223372036854775808ns "
    "-9223372036854775809ns 18446744073709551616ns 99999999999999999999s 0.99999999999999999999999s 1.0000000000000001h "
    "2540400h10m10.000000000s 9223372036.854775807s 9223372036.854775808s 0.100000000000000000000h 0.830103483285477580700h "
    "1s1 1s. 1s.5 1.s 1..s 1s-1s 1sm 1msm 1mss 3000000h 0h0m0s 5s. infinity ns h 1H 1M 1Ms 1MS µs 1u 1µ 3µ5s"
)
WORDS = _words(
    "public internal admin internalURL PUBLIC a.b 'public' 0 + ü public,internal \u3000x x\u3000y x\u00a0y x\u2028 \u0085x "
    "\u00a0 \u180ex \u200bx \ufeffx x\u2003 \u2003x \u1680x \u202fx"
)
STRINGS = _words(
    "u x region1 v2 octavia amphora ovn OVN f5 amphorav2 haproxy ROUND_ROBIN SOURCE_IP_PORT nip.io barbican external "
    "configDrive,metadataService metadataService https://keystone.example.org:5000/v3 https://k/v3#frag a,b pa#ss pa;ss "
    "a=b=c =x ==x [x] ${VAR} {{ %(x)s é 名 \U0001f600 \u00a0 x\u00a0 x\x0c x\x0b \u2028 x\u0085 \ufeffx 'x' ' /etc/ca.pem "
    "YWI== \x7f x\x01y \ufffd 10.0.0.0/8 abc$ `x` <x> & * ! @ ~ | : , true 5 e\u0301 \u202e \U0010ffff \ue000 \ufffe"
)

# characters for a value with no plan, by type
VALUE_CHARACTERS = {
    "b": "trueTRUEyesnoff01 \t\u0130",
    "u": "0123456789xXabF_+-.eE \u00a0",
    "i": "0123456789xXabF_+-.eE \u00a0",
    "d": "0123456789.smhnu\u00b5\u03bcSMd+- ",
    "w": "ab,.\u00a0\u2003\u0085\u200b \t",
    "s": 'ab 1\t\r""\'#;=[]\\\u00e9\u00a0\u2028',
    "l": 'ab 1\t\r""\'#;=[]\\\u00e9\u00a0\u2028',
    "m": 'ab,.\u00a0\u2003\u0085\u200b \t\r""',
}
NAME_CHARACTERS = "abGlobaregion-19_. \t\r\"\\#;=[]':\u00e9\u0436\u540d\u0663\u00b2\u2160\u0301\u02b0\u01c5\u017f\u212a\u0130\U0001d7d9\U0001f642\x00\n"

# pieces for a text with no plan
FRAGMENTS = _words(
    '[ ] [[ ]] = == " "" \\ \\\\ \\" \\n \\t \\r \\x # ; \n \r \r\n \t \x00 \ufeff \u00a0 _ - : . / \' [Global] [LoadBalancer] '
    '[LoadBalancerClass [Networking] [Metadata] "a" "b" auth-url create-monitor monitor-delay monitor-max-retries '
    "max-shared-lb use-clouds lb-provider true no 5 5s 0x1 x \\\n \\\r\n é İ ſ \u212a 1 0 -1 0 ,"
)

# letters that Go's strings.EqualFold takes for the same, and some that only look so
SAME_FOLD = {"s": "\u017f", "k": "\u212a", "S": "\u017f", "K": "\u212a"}
OTHER_LETTER = {"i": "ı", "I": "İ", "e": "е", "a": "а", "o": "ο", "c": "с", "ss": "ß", "u": "ü", "-": "‐", "1": "１"}

BROKEN_UTF8 = (
    b"\xff", b"\xfe", b"\x80", b"\xbf", b"\xc0\xaf", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x9f\x98",
    b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xc3\x28", b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\xe9",
)  # fmt: skip
ODD_CHARACTERS = (
    "\x00", "\ufeff", "\u00a0", "\x0c", "\x0b", "\x85", "\u2028", "\u200b", "\x1a", "\x1b", "\x7f", "\ufffd", "_", "§", "🙂",
    "²", "Ⅷ", "ª", "़", "٣", "ǅ", "ʰ", "\u3000", "\ud7ff", "\uffff", "\U0010ffff", "\r", "$", "%", "{", "`",
)  # fmt: skip
