"""What several rules need. The modules that write fixes are loaded with the first fix, as most files need none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if not TYPE_CHECKING:
    from ccmcheck.base.lazy_module import LazyModule

    fixes = LazyModule("ccmcheck.rules._support.fixes")
    service_fixes = LazyModule("ccmcheck.rules._support.service_fixes")
    yaml_fixes = LazyModule("ccmcheck.rules._support.yaml_fixes")
