"""Generated values for the CCM's chart: what people write there, at their defaults, empty, null and of odd types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

_NAMES = ("prod", "kubernetes", "7", "true", "a b")
_SECTIONS = ("global", "networking", "loadBalancer", "blockStorage", "metadata", "route", "loadbalancer")
_KEYS = ("auth-url", "lb-provider", "monitor-delay", "create-monitor", "max-shared-lb", "region")
_VALUES: tuple[Any, ...] = (
    "ovn",
    "a # b",
    5,
    1000000,
    True,
    None,
    "",
    'quo"te',
    "back\\slash",
    [1, None],
    {"a": 1},
    0.5,
)
_CHOICES: dict[str, tuple[Any, ...]] = {
    "cluster": ({"name": "prod"}, {"name": "kubernetes"}, {"name": "staging-2", "more": 1}, {}),
    "tolerations": ([], [{"operator": "Exists"}], [{"key": "a", "effect": "NoSchedule"}], None),
    "nodeSelector": ({}, {"a": "b"}, {"node-role.kubernetes.io/control-plane": None}, {"x": "y", "z": ""}),
    "image": (
        {"tag": "v1.30.0"},
        {"repository": "mirror.example.com/occm"},
        {"tag": ""},
        {"tag": "v1.31.2", "pullPolicy": "Always"},
    ),
    "secret": ({"name": "other"}, {"create": False}, {"enabled": False}, {"create": True, "name": "x"}, {}),
    "extraEnv": ([{"name": "A", "value": "b"}], []),
    "extraVolumes": ([], [{"name": "ca", "hostPath": {"path": "/etc/ssl/my"}}]),
    "extraVolumeMounts": ([], [{"name": "ca", "mountPath": "/etc/ssl/my", "readOnly": True}]),
    "podSecurityContext": ({}, {"runAsUser": 0}, {"fsGroup": 1001}, {"runAsUser": None}),
    "enabledControllers": (["*"], ["service"], ["cloud-node", "-service"]),
    "controllerExtraArgs": ("- --cluster-name=other", "- --v=4\n- --feature-gates=A=true\n", ""),
    "nameOverride": ("occm", ""),
    "clusterRoleName": ("occm", None, ""),
    "resources": ({"requests": {"cpu": "200m"}},),
}


def values(random: Random) -> dict[str, Any]:
    """Values for one release."""
    found: dict[str, Any] = {
        name: random.choice(choices) for name, choices in _CHOICES.items() if random.random() < 0.35
    }
    if random.random() < 0.8:
        found["cloudConfig"] = {
            section: {key: random.choice(_VALUES) for key in _KEYS if random.random() < 0.4}
            for section in _SECTIONS
            if random.random() < 0.5
        }
    if random.random() < 0.1:
        found["cloudConfigContents"] = "[Global]\nauth-url = https://keystone.example.com/v3\n"
    return found
