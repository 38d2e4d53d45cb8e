"""Files whose lines end as on Windows hold what the same files with other line ends hold."""

from __future__ import annotations

import pytest

from ccmcheck.carriers import find

SCRIPT = """\
helm upgrade -i ccm cpo/openstack-cloud-controller-manager \\
  --set cloudConfig.global.auth-url=https://k.example.com/v3 \\
  --set cloudConfig.global.region=R
helm upgrade -i other cpo/openstack-cloud-controller-manager --set cloudConfig.global.region=S
"""
DOCUMENT = """\
# Secret

```sh
kubectl create secret generic cloud-config --from-literal=cloud.conf='
[Global]
auth-url=https://k.example.com/v3
region=R
'
```
"""


@pytest.mark.parametrize(
    ("path", "text"), [("up.sh", SCRIPT), ("README.md", DOCUMENT), ("run.yaml", f"run: |\n{DOCUMENT}")]
)
def test_line_ends_make_no_difference(path: str, text: str) -> None:
    if path.endswith(".yaml"):
        text = text.replace("\n", "\n  ").rstrip(" ")
    found = [carried.text for carried in find(path, text).carried]
    on_windows = find(path, text.replace("\n", "\r\n")).carried
    assert found
    assert [carried.text.replace("\r\n", "\n") for carried in on_windows] == found
