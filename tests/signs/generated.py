"""Generated texts: files of programs that look like a cloud.conf, and cloud.confs with mistakes."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECTIONS = ("global", "Global", "loadbalancer", "LoadBalancer", "networking", "metadata", "route", "Route", "Metadata")
"""What other programs have in common with a cloud.conf."""
WORDS = tuple(
    """
    algorithm timeout retries log_level log-file debug interval host port bind address listen workers threads backend
    frontend mode maxconn balance cookie weight check path root user group pidfile daemon socket buffer cache ttl
    enabled name version description owner tags labels router-id as-number neighbor hold-time metric gateway mtu
    interface bridge vlan proxy no_proxy endpoint bucket region key secret token username password client-id
    subscription-id tenant-id resource-group location zone cluster node role prefix suffix format output input
    """.split()  # noqa: SIM905 - one line a word would be a page
)
_VALUES = ("true", "false", "1", "30", "10s", "eth0", "10.0.0.1", "example.com", "/var/log/x.log", "info", "a b", '"x"')


def _ini(random: Random, sections: tuple[str, ...], keys: tuple[str, ...], *, least: int = 2) -> str:
    """An INI file of sections with some of the keys each."""
    lines = []
    sign = random.choice((" = ", "=", " ="))
    for section in sections:
        lines.append(f"[{section}]")
        some = random.sample(keys, min(len(keys), random.randint(least, least + 4)))
        lines += [f"{key}{sign}{random.choice(_VALUES)}" for key in some]
        if random.random() < 0.3:
            lines.append(random.choice(("", "# more", "; more")))
    return "\n".join(lines) + "\n"


def _program(*sections: str, keys: str, least: int = 2) -> Callable[[Random], str]:
    """A program with sections and keys of its own, some of which another file also calls ``[global]``."""

    def text(random: Random) -> str:
        own = random.sample(sections, random.randint(1, len(sections)))
        return _ini(random, tuple(own), tuple(keys.split()), least=least)

    return text


def _made_up(random: Random) -> str:
    """A program that nobody knows, with sections of a cloud.conf's names."""
    sections = random.sample(SECTIONS, random.randint(1, 3))
    sections += random.sample(("server", "client", "logging", "storage", "http", "main"), random.randint(0, 2))
    random.shuffle(sections)
    return _ini(random, tuple(sections), WORDS)


def _toml(random: Random) -> str:
    lines = []
    for section in random.sample(SECTIONS, random.randint(1, 3)):
        lines.append(random.choice((f"[{section}]", f"[{section}]", f"[[{section}]]", f"[{section}.inner]")))
        for key in random.sample(WORDS, random.randint(2, 5)):
            values = ("true", "3", '"x"', '["a", "b"]', "{ a = 1 }", "1979-05-27", "[1, 2]")
            lines.append(f"{key} = {random.choice(values)}")
    return "\n".join(lines) + "\n"


def _inventory(random: Random) -> str:
    groups = ["loadbalancer", "global", *random.sample(("masters", "nodes", "etcd", "all:vars", "bastion"), 2)]
    random.shuffle(groups)
    lines = []
    for group in groups:
        lines.append(f"[{group}]")
        for number in range(random.randint(1, 3)):
            host = f"{random.choice(('lb', 'node', 'm'))}{number}"
            variables = " ansible_host=10.0.0.1 ansible_user=root" if random.random() < 0.6 else ""
            lines.append("ansible_user=root" if group.endswith("vars") else host + variables)
    return "\n".join(lines) + "\n"


def _haproxy(random: Random) -> str:
    return "[global]\n" + "".join(
        f"    {word} {random.choice(_VALUES)}\n" for word in random.sample(WORDS, random.randint(3, 6))
    )


_LOGIN = "auth_url username password project_name user_domain_name project_domain_name auth_type region_name"
PROGRAMS: dict[str, Callable[[Random], str]] = {
    "nobody's": _made_up,
    "TOML": _toml,
    "an Ansible inventory": _inventory,
    "like HAProxy": _haproxy,
    "a unit": _program("Unit", "Service", "Install", keys="Description After ExecStart Restart WantedBy User"),
    "a network": _program("Match", "Network", "Route", keys="Name DHCP Gateway Destination Address DNS Metric"),
    "git": _program("core", 'remote "origin"', "user", keys="name email url fetch bare editor"),
    "php.ini": _program("PHP", "global", "www", keys="memory_limit engine pid error_log pm listen user group"),
    "my.cnf": _program("client", "mysqld", "global", keys="user password port socket datadir bind-address"),
    "Samba": _program("global", "homes", "printers", keys="workgroup security path browseable log_file interfaces"),
    "Ceph": _program("global", "osd", "mon", keys="fsid mon_host public_network cluster_network auth_cluster_required"),
    "pip": _program("global", "install", keys="index-url timeout trusted-host extra-index-url"),
    "fio": _program("global", "job1", keys="ioengine iodepth rw bs size direct runtime numjobs"),
    "setup.cfg": _program("metadata", "global", "options", keys="name version author license long_description url"),
    "Octavia": _program(
        "networking", "api_settings", "controller_worker", keys="lb_network_name bind_host amp_flavor_id max_retries"
    ),
    "Nova": _program("DEFAULT", "keystone_authtoken", "neutron", keys=f"{_LOGIN} transport_url log_dir"),
    "Neutron": _program("DEFAULT", "agent", "ml2", keys="core_plugin service_plugins transport_url auth_strategy"),
    "Keystone": _program("DEFAULT", "database", "token", keys="connection provider log_dir admin_token"),
    "vSphere": _program("Global", "Workspace", "Disk", keys="user password port insecure-flag datacenter server"),
    "AWS": _program("Global", keys="Zone VPC RoleARN KubernetesClusterTag DisableSecurityGroupIngress"),
    "GCE": _program("global", keys="project-id network-name node-tags local-zone token-url"),
    "Azure": _program("Global", keys="tenant-id client-id client-secret subscription-id resource-group location"),
    "Huawei": _program("Global", "Vpc", keys="access-key secret-key project-id region", least=4),
    "CloudStack": _program("Global", keys="api-url api-key secret-key zone ssl-no-verify"),
    "Baidu": _program("Global", "LoadBalancer", keys="AccessKeyID SecretAccessKey ClusterId VpcId Endpoint Region"),
    "a router": _program("global", "route", keys="router-id as-number neighbor hold-time metric"),
    "a balancer": _program("LoadBalancer", "Global", keys="algorithm timeout backend sticky health_check retries"),
}


def look_alikes(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Other programs' files: each with its program."""
    random = Random(seed)  # noqa: S311 - for texts
    for number in range(count):
        name = list(PROGRAMS)[number % len(PROGRAMS)]
        yield name, PROGRAMS[name](random)


_KEYS: dict[str, tuple[tuple[str, str], ...]] = {
    "Global": (
        ("auth-url", "https://keystone.example.com/v3"),
        ("username", "ccm"),
        ("password", "x"),
        ("tenant-name", "prod"),
        ("region", "R1"),
        ("domain-name", "Default"),
        ("application-credential-id", "a"),
        ("application-credential-secret", "b"),
        ("use-clouds", "true"),
        ("ca-file", "/etc/ca.pem"),
    ),
    "LoadBalancer": (
        ("lb-provider", "ovn"),
        ("create-monitor", "true"),
        ("monitor-delay", "5s"),
        ("floating-network-id", "4b8c8a3e-0000-4000-8000-000000000000"),
        ("subnet-id", "4b8c8a3e-0000-4000-8000-000000000001"),
        ("use-octavia", "true"),
        ("manage-security-groups", "true"),
    ),
    "Networking": (("public-network-name", "ext"), ("internal-network-name", "int")),
    "BlockStorage": (("bs-version", "v3"), ("ignore-volume-az", "true")),
    "Metadata": (("search-order", "configDrive"),),
}


def _with_typo(random: Random, word: str) -> str:
    """The word with one letter gone, doubled, or changed with its neighbour."""
    at = random.randrange(1, len(word) - 1)
    return random.choice((word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], _swapped(word, at)))


def _swapped(word: str, at: int) -> str:
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _mistaken(random: Random, key: str, value: str) -> str:
    """A line with a mistake."""
    kind = random.randrange(8)
    if kind == 0:
        key = _with_typo(random, key)
    elif kind == 1:
        key = key.replace("-", "_")
    elif kind == 2:
        value = random.choice(("", "maybe", "10", "{}", "TODO", '"open'))
    elif kind == 3:
        value = random.choice(("${VALUE}", "{{ value }}", "<value>", "$VALUE"))
    elif kind == 4:
        return f"{key}: {value}"
    elif kind == 5:
        key = random.choice(("colour", "provider", "user", "project_name", "lb_method"))
    elif kind == 6:
        key = key.upper()
    return f"{key} = {value}"


def cloud_confs(count: int, seed: int = 1) -> Iterator[str]:
    """Real cloud.confs with one to three mistakes each; some have a broken or a missing header."""
    random = Random(seed)  # noqa: S311 - for texts
    for _ in range(count):
        sections = ["Global", *random.sample([name for name in _KEYS if name != "Global"], random.randint(0, 3))]
        lines = []
        for section in sections:
            lines.append(f"[{section}]")
            most = len(_KEYS[section])
            some = random.sample(_KEYS[section], random.randint(min(3, most), most))
            lines += [f"{key} = {value}" for key, value in some]
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(lines))
            key, _, value = lines[at].partition(" = ")
            if value:
                lines[at] = _mistaken(random, key, value)
            elif len(sections) > 1:
                lines[at] = random.choice(
                    (lines[at][:-1], lines[at].lower(), f"[{_with_typo(random, lines[at][1:-1])}]", "# gone")
                )
        if random.random() < 0.2:
            lines.insert(0, random.choice(("# for the CCM", "; x", "{{- if .Values.x }}", "%{ if x ~}")))
        yield "\n".join(lines) + "\n"
