"""XML as a stream of events, for GraphML and GEXF: Python's expat, with everything refused that a graph does not need.

A file that declares an entity is refused, so that none can unfold to more than it is or name another file; so are
elements nested beyond reason and texts beyond a line's limit. The file is fed to the parser in blocks and never held.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from nearly.base.errors import GraphFormatError, InvalidArgumentError
from nearly.graph.io.content import Content

_DEEPEST = 200
_LONGEST = 1 << 20
_BLOCK = 1 << 18


class Refused(Exception):
    """What a handler found wrong, in words."""


class XmlReader:
    """Calls `begin(name, attributes)`, `end(name, text)` and `comment(text)`, names without their prefixes."""

    def __init__(self, begin: Callable[..., None], end: Callable[..., None], comment: Callable[[str], None]) -> None:
        self._begin, self._end, self._depth, self._text, self._size = begin, end, 0, [""], 0
        self.parser = parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._stop
        parser.CharacterDataHandler, parser.CommentHandler = self._characters, comment
        parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity  # type: ignore[assignment]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Refused(f"elements are nested more than {_DEEPEST} deep")
        self._text, self._size = [], 0
        self._begin(name.rpartition(":")[2], attributes)

    def _stop(self, name: str) -> None:
        self._depth -= 1
        self._end(name.rpartition(":")[2], "".join(self._text))
        self._text, self._size = [], 0

    def _characters(self, text: str) -> None:
        self._size += len(text)
        if self._size > _LONGEST:
            raise Refused(f"a text has more than {_LONGEST:,} letters")
        self._text.append(text)

    def _entity(self, *_: Any) -> None:
        raise Refused("the file declares entities, which a graph does not need; remove them")

    def read(self, path: str | os.PathLike[str]) -> None:
        """All of a file."""
        try:
            for block in Content(path).blocks(_BLOCK):
                self.parser.Parse(bytes(block), False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            why = f"this is no sound XML ({expat.errors.messages.get(error.code, error)}); write it again"
            raise GraphFormatError(path, error.lineno, None, why) from None
        except Refused as refused:
            raise GraphFormatError(path, self.parser.CurrentLineNumber, None, str(refused)) from None
        except (ValueError, LookupError) as error:  # an encoding that Python does not know
            if isinstance(error, GraphFormatError):
                raise
            raise GraphFormatError(path, None, None, f"this is no sound XML ({error}); write it again") from None


def attribute(value: Any) -> str:
    """A value as an attribute, in quotes."""
    return quoteattr(_allowed(value))


def content(value: Any) -> str:
    """A value as an element's text."""
    return escape(_allowed(value), {"\r": "&#13;"})


def _allowed(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if any((c < " " and c not in "\t\n\r") or c in "\ufffe\uffff" or "\ud800" <= c < "\ue000" for c in text):
        raise InvalidArgumentError(f"XML cannot hold all letters of {text!r}; write another format, such as .npz")
    return text
