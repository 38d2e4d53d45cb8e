"""What a line hides when it is shown: everything that is not known to be harmless.

A line of cloud.conf, YAML, JSON or a script is cut into a key and a value; `names` and `values` decide about both. A
line without a separator is hidden but for words that the catalogue knows. In YAML the keys around a line count as well:
what stands under ``data`` and ``stringData``, and the ``value`` beside a ``name: OS_PASSWORD``, is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.redact import names, parts
from ccmcheck.redact.nesting import SECRET_DATA, Nesting, Parent, is_block, patched_field
from ccmcheck.redact.values import FILLED_IN, hidden_parts, is_harmless, is_template_mark

_PAIR = lazy_regex(r"""([^=:\n]*?)[ \t]*(?:[?+!]?=|:(?=[ \t]|\Z)|:(?![/:]))[ \t]*""")
_KEY = lazy_regex(
    r"""(?:-[ \t]+)*(?:export[ \t]+|["'`]?--?(?=\w))?["'`]?([\w./@$!-]{1,128})["'`]?(?:\[[^\]]{0,8}\])?[?+!]?"""
)
_HEADER = lazy_regex(r"""\[[ \t]*([^\]\s"']+)[ \t]*(?:"((?:[^"\\\n]|\\.)*)"?)?[ \t]*\]?[ \t]*""")
_PUNCTUATION = lazy_regex(r"[\s\-{}\[\](),.\"'`|>&*%=:#;]*")
_TEMPLATE = lazy_regex(r"(?:\{\{(?!-?\s*/\*)(?:[^{}\n]|\{(?!\{))*\}\}\s*|\{%[^%\n]*%\}\s*)+")
_PROGRAM = frozenset({"args", "command"})
_LABELS = frozenset({"labels", "matchLabels", "nodeSelector", "selector", "commonLabels", "pairs"})
"""Kubernetes' fields whose keys people choose, and whose values name things."""
_FIRST_LINE = lazy_regex(r"#! ?/(?:usr/)?bin/(?:env )?[a-z]{2,8}[0-9.]{0,4}|#cloud-config")
_ITEM = lazy_regex(r"(?:-[ \t]+)+(?=\{(?![{%#]))")
"""What precedes a flow mapping that is an item of a list."""
_MARKER = r"<<[-~]?[ \t]*[\"']?([A-Z][A-Z_]{1,20})[\"']?"
_WITH_HEREDOC = lazy_regex(
    rf"(?:cat|(?:sudo[ \t]+)?tee)(?:[ \t]*(?:(?:>{{1,2}}[ \t]*)?/etc/[\w./-]{{1,64}}|{_MARKER}))++"
)
"""A command that writes a file, or shows one, from a heredoc."""
_HEREDOC = lazy_regex(rf"{_MARKER}(?=[ \t]|\Z)")
_HCL_BLOCK = lazy_regex(r"([a-z][a-z_]{1,40})(?:[ \t]+\"[A-Za-z_-]{1,64}\")*[ \t]*\{")
_HCL_MAPPING = lazy_regex(r"\"?([\w.-]{1,64})\"?[ \t]*=[ \t]*\{")
_NEXT_MAPPING = lazy_regex(r"[\s\]}]*+,\s*+\{")
_COMPUTED = "(computed)"
_HIDING = SECRET_DATA | {_COMPUTED}
"""What hides all fields in it: a Secret's data, and a map that an expression makes, of which nobody knows the name."""
_HCL_WORDS = frozenset({
    "resource", "data", "module", "locals", "variable", "provider", "terraform", "output", "dynamic", "content",
    "backend",
})  # fmt: skip
"""Terraform's own blocks; the others are fields of Kubernetes."""
_WITH_SUBSECTIONS = frozenset({"loadbalancerclass"})


class LineScan:
    """Finds what lines hide, one after another: where there is YAML, what a line hides depends on those before it.

    Args:
        plain: Whether the whole text is plain, see `ccmcheck.redact.names.is_plain`.
    """

    def __init__(self, *, plain: bool) -> None:
        self._is_plain = plain
        self._nesting = Nesting()
        self._marker = ""
        """What ends the heredoc that is open."""
        self._hcl: list[str] = []
        """The blocks and mappings of HCL around the line."""

    @property
    def depends(self) -> bool:
        """Whether what the next line hides depends on the lines before it."""
        return self._nesting.counts or bool(self._marker or self._hcl)

    def of_line(self, line: str) -> Iterator[tuple[int, int]]:
        """The hidden parts of the next line: start and end of each, in order."""
        if self._is_plain or names.is_plain(line):
            yield from self._hidden(line)
            return
        folded, offsets = names.fold_with_offsets(line)
        end = 0
        for low, high in self._hidden(folded):
            first = max(offsets[low], end)
            end = max(offsets[high], offsets[high - 1] + 1)
            if first < end:
                yield first, end

    def _hidden(self, line: str) -> Iterator[tuple[int, int]]:
        """The hidden parts of one line, in order."""
        body = line.rstrip()
        indent = len(body) - len(body.lstrip())
        if self._marker and body[indent:] == self._marker:
            self._marker = ""
            return
        if not self._marker:
            self._note(body[indent:])
        if self._nesting.is_in_open_collection(body):
            yield from self._of_flow(body, indent, hides=True)
        elif self._nesting.is_in_hidden_block(body, indent):
            yield indent, len(body)
        else:
            yield from self._of_part(body, indent, indent)

    def _note(self, rest: str) -> None:
        """Note the heredoc that a line begins, and what it opens or closes of HCL."""
        if (heredoc := _HEREDOC.search(rest)) is not None:
            self._marker = heredoc[1]
            return
        if rest.startswith("}") and self._hcl:
            self._hcl.pop()
        if rest.endswith(("{", "[", "(")):
            opened = _HCL_BLOCK.fullmatch(rest) or (_HCL_MAPPING.fullmatch(rest) if self._hcl else None)
            if opened is not None:
                self._hcl.append(opened[1])
            elif self._hcl and rest.endswith("{"):
                self._hcl.append(_COMPUTED)  # what it computes, nobody knows

    def _is_hcl_field(self, key: str) -> bool:
        """Whether a key is a field of Kubernetes in a block of HCL, and no entry of a Secret's data."""
        return bool(self._hcl and not self._marker and not _HIDING.intersection(self._hcl)) and names.is_public_field(
            key, self._hcl[-1]
        )

    def _of_part(self, line: str, at: int, indent: int) -> Iterator[tuple[int, int]]:
        """The hidden parts of a line from an offset on."""
        rest = line[at:]
        first = rest[:1]
        if first in "#;" or rest.startswith("//"):
            yield from self._of_comment(line, at)
        elif (template := _TEMPLATE.fullmatch(rest)) is not None and FILLED_IN.search(rest) is None:
            yield from ((at + low, at + high) for low, high in parts.of_template(rest))
        elif first == "{" and template is None and not rest.startswith(("{{", "{%", "{#")):
            yield from self._of_flow(line, at, hides=self._nesting.hides(indent))
        elif first == "-" and (item := _ITEM.match(line, at)) is not None:
            parent = self._nesting.parent(item.end())
            hides = parent is not None and parent.hides
            yield from self._of_flow(line, item.end(), parent.key if parent is not None else "", hides=hides)
        elif first == "[" and (header := _HEADER.match(line, at)) is not None:
            yield from self._of_header(line, header.group(1), header.span(2), header.end(), indent)
        elif (pair := _PAIR.match(line, at)) is not None:
            yield from self._of_pair(line, at, pair.end(1), pair.end(), indent)
        else:
            yield from self._of_word(line, at)

    def _of_comment(self, line: str, at: int) -> Iterator[tuple[int, int]]:
        start = at + len(line[at:]) - len(line[at:].lstrip("#;/ \t"))
        body = line[start:]
        if not body:
            return
        if body.startswith(parts.DIRECTIVE):
            yield from parts.of_directive(line, start)
            return
        if not at and _FIRST_LINE.fullmatch(line):
            return
        if parts.PROSE.fullmatch(body) and not any(names.is_secret_name(word) for word in body.split()):
            return
        pair = _PAIR.match(body)
        key = _KEY.fullmatch(pair[1]) if pair is not None else None
        if pair is None or key is None:
            yield start, len(line)
        elif names.is_public_key(key[1]):
            yield from parts.of_public(line, start + pair.end())
        elif not body[pair.end(1) :].strip("= ") and not parts.is_empty_key(key[1]):
            yield start, len(line)
        elif not is_harmless(body[pair.end() :]):
            yield start + pair.end(), len(line)

    def _of_header(
        self, line: str, name: str, subsection: tuple[int, int], end: int, indent: int
    ) -> Iterator[tuple[int, int]]:
        folded = names.fold(name).lower()
        start = line.index("[")
        if not parts.EMPTY_KEY.fullmatch(folded):
            yield start + 1, len(line)
            return
        low, high = subsection
        if folded in _WITH_SUBSECTIONS:
            yield from ((low + part[0], low + part[1]) for part in hidden_parts(line[low:high]))
        elif low < high:
            yield subsection
        yield from self._of_part(line, end, indent)

    def _of_pair(self, line: str, at: int, key_end: int, start: int, indent: int) -> Iterator[tuple[int, int]]:
        whole = _KEY.fullmatch(line[at:key_end])
        value = line[start:]
        if whole is None or _is_padding(whole[1], line[key_end:start].strip(), value):
            yield from self._of_odd_key(line, at, key_end)
            return
        key = whole[1]
        column = indent + line[at:].index(key)
        is_yaml = line[key_end:start].strip() == ":"
        parent = self._nesting.parent(column) if is_yaml else None
        above = parent.key if parent is not None else ""
        is_patch = is_yaml and self._nesting.operation == column
        hides = parent is not None and parent.hides and not _is_of_reference(parent, key, value)
        if is_patch and key == "value" and self._nesting.pointer:
            key, above, hides = patched_field(self._nesting.pointer)
        hides = hides or names.is_secret_name(key)
        variable = ""
        if is_yaml:
            beside, name = self._nesting.name
            variable = name if key in ("value", "default") and beside == column else ""
            hides = hides or names.is_secret_name(variable)
            self._nesting.enter(key, value, column, above, hides=hides)
            if is_block(value) or not value:
                return
        if key == "name" and is_yaml:
            self._nesting.name = (column, value.strip("\"' "))
        if key == "op" and is_yaml:
            self._nesting.operation, self._nesting.pointer = column, ""
        is_pointer = is_patch and key in ("path", "from") and value.strip("\"'").startswith("/")
        if is_pointer and key == "path":
            self._nesting.pointer = value
        if _HEREDOC.fullmatch(value) is not None:
            return
        if hides:
            if not is_template_mark(value.strip("\"' ")) and value:
                yield start, len(line)
        elif key in SECRET_DATA and value[:1] in ("{", "["):
            yield from self._of_flow(line, start, key, hides=True)
        elif key in _LABELS and value.startswith("{"):
            yield from self._of_flow(line, start, key, labels=True)
        elif is_yaml and key in _PROGRAM and value.startswith("["):
            yield from self._of_program(line, start)
        elif is_patch and key in _PROGRAM:
            yield from self._of_argument(value, start)
        elif (
            names.is_conf_key(key)
            or key in names.CCM_FLAGS
            or above in _LABELS
            or names.is_public_variable(variable or key)
            or ((is_yaml or "/" in key) and names.is_public_field(key, above))
            or self._is_hcl_field(key)
            or is_pointer
            or (not is_yaml and self._is_generated_from(column))
        ):
            yield from self._of_public_value(line, start, key)
        else:
            yield from self._of_unknown_value(line, start, key)

    def _is_generated_from(self, column: int) -> bool:
        """Whether a line is ``- cloud.conf=prod.conf`` below ``files`` of a kustomization's generator."""
        parent = self._nesting.parent(column)
        return parent is not None and parent.key == "files" and self._nesting.above(parent) in names.GENERATORS

    def _of_public_value(self, line: str, start: int, key: str) -> Iterator[tuple[int, int]]:
        if parts.is_flow(line[start:]):
            yield from self._of_flow(line, start, key, public=True)
        else:
            yield from parts.of_public(line, start)

    def _of_unknown_value(self, line: str, start: int, key: str) -> Iterator[tuple[int, int]]:
        value = line[start:]
        if parts.is_flow(value):
            yield from self._of_flow(line, start, key)
            return
        comment = parts.INLINE_COMMENT.search(value)
        bare = value[: comment.start()] if comment is not None else value
        if not is_harmless(bare):
            yield start, len(line)
        elif comment is not None:
            yield from self._of_comment(line, start + comment.start() + len(comment[0]) - 1)

    def _of_flow(
        self, line: str, start: int, above: str = "", *, public: bool = False, labels: bool = False, hides: bool = False
    ) -> Iterator[tuple[int, int]]:
        """The parts of ``{a: b, c: [d]}``: each pair is judged separately; the rest belongs to the keys around it."""
        name, data, before = "", hides, True
        pointer: str | None = None
        around: list[tuple[int, str]] = []
        last = start
        for at, end, depth in parts.flow_items(line, start):
            piece = line[at:end]
            if _NEXT_MAPPING.match(line, last) is not None:  # what stands beside its fields is not in the one before
                pointer, name = None, name if names.is_secret_name(name) else ""
            last = end
            if piece.startswith("#"):
                yield from self._of_comment(line, at)
                return
            pair = _PAIR.match(piece)
            key = _KEY.fullmatch(pair[1]) if pair is not None else None
            sign = piece[pair.end(1) : pair.end()].strip() if pair is not None else ""
            if pair is None or key is None or _is_padding(key[1], sign, piece[pair.end() :]):
                if public and before and not data:
                    yield from ((at + low, at + high) for low, high in hidden_parts(piece))
                elif data or not is_harmless(piece):
                    yield at, end
                continue
            while around and around[-1][0] >= depth:
                around.pop()
            value = piece[pair.end() :].rstrip()
            field, parent, of_secret = key[1], around[-1][1] if around else above, False
            if field == "op":
                pointer = ""
            elif field == "path" and pointer is not None:
                pointer = value if value.strip("\"'").startswith("/") else ""
            elif field == "value" and pointer:
                field, parent, of_secret = patched_field(pointer)
            variable = name if field in ("value", "default") else ""
            secret = names.is_secret_name(field) or names.is_secret_name(variable) or of_secret
            public_key = names.is_public_key(field, parent) or (field == "path" and bool(pointer))
            in_labels = labels or parent in _LABELS
            shown = not secret and (in_labels or public_key or names.is_public_variable(variable or field))
            if field == "name":
                name = value.strip("\"' ")
            if (field in SECRET_DATA or of_secret) and not value:
                data = True  # to the end of the line: better than too short
            before = shown
            if not value:
                around.append((depth, field))
                public = shown
            if not value or is_template_mark(value.strip("\"'")):
                continue
            if secret or data or not (shown or is_harmless(value)):
                yield at + pair.end(), at + pair.end() + len(value)
            else:
                yield from ((at + pair.end() + low, at + pair.end() + high) for low, high in hidden_parts(value))

    def _of_program(self, line: str, start: int) -> Iterator[tuple[int, int]]:
        """The parts of ``[sh, -c, "echo x"]``: names of programs, flags and paths are shown."""
        before = ""
        for at, end, _ in parts.flow_items(line, start):
            argument = line[at:end].strip("\"' ")
            if argument and (low := parts.hidden_argument(argument, before)) is not None:
                first = at + line[at:end].index(argument)
                yield first + low, first + len(argument)
            before = argument

    def _of_odd_key(self, line: str, at: int, key_end: int) -> Iterator[tuple[int, int]]:
        """A line whose text before the separator is no key: several words, or none."""
        words = line[at:key_end].split()
        first = _KEY.fullmatch(words[0]) if words else None
        if first is not None and len(words) > 1:
            shown = at + len(words[0])
            if names.is_known_name(first[1]) or names.is_secret_name(first[1]) or first[1].lower() in parts.COMMANDS:
                gap = len(line[shown:]) - len(line[shown:].lstrip())
                yield shown + gap, len(line)
                return
        yield at, len(line)

    def _of_word(self, line: str, at: int) -> Iterator[tuple[int, int]]:
        """A line without a separator: hidden but for a word that the catalogue knows."""
        rest = line[at:]
        if _PUNCTUATION.fullmatch(rest) or is_template_mark(rest.strip()):
            return
        block = _HCL_BLOCK.fullmatch(rest.rstrip())
        if _WITH_HEREDOC.fullmatch(rest.rstrip()):
            return
        if block is not None and (block[1] in _HCL_WORDS or names.is_known_name(block[1])):
            return
        item = rest.removeprefix("- ").lstrip()
        start = len(line) - len(item)
        parent = self._nesting.parent(start)
        if parent is not None and start > at:
            if parent.hides:
                yield start, len(line)
            elif parent.key in _PROGRAM:
                yield from self._of_argument(item, start)
            elif names.is_public_field(parent.key, self._nesting.above(parent)):
                yield from parts.of_public(line, start)
            elif not is_harmless(item):
                yield start, len(line)
            return
        words = rest.split()
        word = words[0]
        if names.is_known_name(word) or (len(words) > 1 and names.is_secret_name(word)):
            tail = rest[len(word) :].lstrip()
            if tail:
                yield len(line) - len(tail), len(line)
            return
        if not is_harmless(rest):
            yield at, len(line)

    def _of_argument(self, item: str, start: int) -> Iterator[tuple[int, int]]:
        """The parts of an item of ``args`` or ``command``."""
        argument = item.strip("\"' ")
        is_hidden = argument and parts.hidden_argument(argument, self._nesting.argument) is not None
        self._nesting.argument = argument
        if is_hidden:
            first = start + item.index(argument)
            yield first, first + len(argument)


def _is_of_reference(parent: Parent, key: str, value: str) -> bool:
    """Whether a field names a Secret, or one of its keys, below a field that refers to one."""
    if parent.in_data or not names.is_reference(parent.key):
        return False
    return key in names.KUBERNETES_FIELDS or value.lower() in ("true", "false")


def _is_padding(key: str, sign: str, value: str) -> bool:
    """Whether the ``=`` behind what looks like a key ends a text in base64."""
    return sign == "=" and not value.strip("= \"'`,") and not parts.is_empty_key(key)
