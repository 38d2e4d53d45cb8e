"""IP addresses and CIDRs as Go's net package reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from ccmcheck.base.lazy_regex import lazy_regex

_CIDR4 = lazy_regex(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})/(\d{1,2})", re.ASCII)


@lru_cache(maxsize=4096)
def normal(text: str) -> str | None:
    """Read a CIDR and write it as the CCM sends it: the network's address, shortest form.

    Args:
        text: ``10.0.0.1/8``, ``2001:db8::/32``.

    Returns:
        ``10.0.0.0/8``; None for what ``net.ParseCIDR`` refuses, such as leading zeros.
    """
    match = _CIDR4.fullmatch(text)
    if match is not None:
        parts = match.groups()
        if any(len(part) > 1 and part[0] == "0" for part in parts):
            return None
        *octets, length = map(int, parts)
        if length > 32 or any(octet > 255 for octet in octets):
            return None
        whole = (octets[0] << 24 | octets[1] << 16 | octets[2] << 8 | octets[3]) & (0xFFFFFFFF << 32 - length)
        return f"{whole >> 24 & 255}.{whole >> 16 & 255}.{whole >> 8 & 255}.{whole & 255}/{length}"
    address, slash, length_text = text.partition("/")
    if not slash or ":" not in address or "%" in address or not _is_length(length_text):
        return None
    try:
        base = IPv6Address(address)
    except (AddressValueError, ValueError):
        return None
    if base.ipv4_mapped is not None:
        return None if int(length_text) < 96 else normal(f"{base.ipv4_mapped}/{int(length_text) - 96}")
    network = IPv6Network((int(base), int(length_text)), strict=False)
    return f"{network.network_address}/{network.prefixlen}"


def is_whole(text: str, normal: str) -> bool:
    """Whether a CIDR is the address of its network, without bits beyond its prefix."""
    return text == normal or _number(text.partition("/")[0]) == _number(normal.partition("/")[0])


def _number(address: str) -> int:
    return int(IPv6Address(address)) if ":" in address else int(IPv4Address(address))


def _is_length(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= 128 and (text == "0" or text[0] != "0")


@lru_cache(maxsize=4096)
def family(address: str) -> int:
    """4 or 6 for an address or a CIDR; 0 for neither."""
    host = address.partition("/")[0]
    try:
        if ":" in host:
            return 4 if IPv6Address(host).ipv4_mapped is not None else 6
        IPv4Address(host)
    except (AddressValueError, ValueError):
        return 0
    return 4


def families(addresses: Iterable[str]) -> frozenset[int]:
    """The families of several."""
    return frozenset(map(family, addresses))


def holds(cidr: str, address: str) -> bool:
    """Whether an address is in a CIDR; False for what is neither."""
    try:
        return ip_address(address) in ip_network(cidr, strict=False)
    except ValueError:
        return False
