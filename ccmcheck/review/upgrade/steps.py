"""One cloud.conf as one release on the way reads it."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Span
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.catalog import Release
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.effective import Setting, effective
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Document
from ccmcheck.predict.inputs.options import options_of

_LOGIN = (("Global", "auth-url"), ("Global", "cloud"))


class ReleaseStep:
    """What a release makes of a cloud.conf.

    Args:
        carried: The cloud.conf.
        document: Its text, parsed.
        release: The release.

    Attributes:
        release: The release.
        error: What ends the CCM; None where nothing does.
        options: Its settings for load balancers.
        settings: Every key's value, by section with subsection, and key.
    """

    def __init__(self, carried: CarriedConf, document: Document, release: Release) -> None:
        conf = CloudConf.read(carried, release, document=document)
        read = conf.reading
        self.release = release
        self.options = options_of(conf)
        self.settings: dict[tuple[str, str], Setting] = {}
        for setting in effective(document, read, conf.schema):
            title = setting.section if setting.subsection is None else f'{setting.section} "{setting.subsection}"'
            self.settings[title, setting.key] = setting
        stops = [stop for stop in read.stops if not conf.is_opaque(stop.span)]
        error = stops[0].error if stops else None
        if error is None:
            error = next(self._words_that_end(conf), None) or self.options.stop or None
        # an error hidden by use-clouds is never raised
        self.error = None if read.hidden_error is not None else error

    def _words_that_end(self, conf: CloudConf) -> Iterator[str]:
        """Words that gcfg takes, and the CCM ends at later."""
        for (section, key), setting in self.settings.items():
            if setting.entry is None or setting.spec.secret or not isinstance(setting.value, str):
                continue
            known = allowed_values(section, key, self.release)
            words = [word.strip() for word in setting.value.split(",")] if setting.value else []
            if known is None or not known.fatal or not words or (known.most == 1 and setting.value in known.words):
                continue
            if conf.is_opaque(Span(setting.entry.key_start, setting.entry.end)) or (
                known.most > 1 and set(words) <= set(known.words)
            ):
                continue
            yield f"{key} = {setting.value}: only {', '.join(known.words)} will do"

    @property
    def has_login(self) -> bool:
        """Whether the file says where to log in."""
        return any(name in self.settings and self.settings[name].value for name in _LOGIN)
