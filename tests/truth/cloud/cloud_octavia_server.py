"""Serves Octavia's own API with its own Neutron driver, which talks to our Neutron.

Runs in Octavia's environment: ``cloud_octavia_server.py RUN WORLD`` with a ``url`` in the world. Only the worker is missing;
what is pending is active at the next request, as in `octavia_server`.
"""

from __future__ import annotations

import octavia_server

OWN = {
    "controller_worker": {"network_driver": "allowed_address_pairs_driver", "compute_driver": "compute_noop_driver"},
    "service_auth": {
        "auth_type": "password", "username": "octavia", "password": "p", "project_name": "service",
        "user_domain_id": "default", "project_domain_id": "default",
    },
}  # fmt: skip


def configuration(plain: str, url: str) -> str:
    """Octavia's configuration, with the real network driver and a log-in."""
    for section, options in OWN.items():
        plain = plain.replace("network_driver = network_noop_driver\n", "")
        lines = "".join(f"{name} = {value}\n" for name, value in options.items())
        header = f"[{section}]\n"
        plain = plain.replace(header, header + lines) if header in plain else f"{plain}\n{header}{lines}"
    return plain.replace("[service_auth]\n", f"[service_auth]\nauth_url = {url}/identity/v3\n")


def main() -> None:
    """Serve until killed."""
    file = octavia_server.RUN / "octavia.conf"
    plain = (octavia_server.HERE / "octavia.conf").read_text(encoding="utf-8")
    file.write_text(configuration(plain, octavia_server.WORLD["url"]), encoding="utf-8")
    octavia_server.serve(file)


if __name__ == "__main__":
    main()
