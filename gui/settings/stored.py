"""Values of an INI file as typed attributes: each is read when asked for, and judged then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Self, TypeVar, overload

import msgspec
from PySide6.QtCore import QSettings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")


class Store:
    """An INI file of texts; what is written to it is seen at once by all who have it open.
    `on_put` is called after each change.
    """

    def __init__(self, path: Path) -> None:
        self._store = QSettings(str(path), QSettings.Format.IniFormat)
        self.on_put: Callable[[], None] = lambda: None

    @property
    def place(self) -> str:
        """The file."""
        return self._store.fileName()

    def text(self, key: str) -> str:
        """The stored text, empty where there is none."""
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""

    def put(self, key: str, text: str) -> None:
        """Store a text."""
        self._store.setValue(key, text)
        self.on_put()

    def save(self) -> bool:
        """Write everything to the file now, and see what others have written to it; returns
        whether it could be written.
        """
        if self._store.status() is QSettings.Status.AccessError:
            # It remembers a failure for ever. What isn't written yet, all of one file share.
            self._store = QSettings(self._store.fileName(), QSettings.Format.IniFormat)
        self._store.sync()
        return self._store.status() is not QSettings.Status.AccessError


class Stored(Generic[T]):
    """An attribute of a Store. A damaged value counts as absent: then it is `default`."""

    def __init__(
        self, key: str, default: T, read: Callable[[str], T], write: Callable[[T], str]
    ) -> None:
        """`read` raises ValueError for a text that is none of its values."""
        self.default = default
        self._key, self._read, self._write = key, read, write

    @overload
    def __get__(self, store: None, owner: type[Store]) -> Self: ...

    @overload
    def __get__(self, store: Store, owner: type[Store]) -> T: ...

    def __get__(self, store: Store | None, owner: type[Store]) -> T | Self:
        """The value that is stored, or the default."""
        if store is None:
            return self
        text = store.text(self._key)
        try:
            return self._read(text) if text else self.default
        except ValueError:
            return self.default

    def __set__(self, store: Store, value: T) -> None:
        """Store the value."""
        store.put(self._key, self._write(value))


def one_of(key: str, options: tuple[T, ...], default: T) -> Stored[T]:
    """One of several values, stored as its text."""
    by_text = {str(option): option for option in options}

    def read(text: str) -> T:
        if text not in by_text:
            raise ValueError(text)
        return by_text[text]

    return Stored(key, default, read, str)


def number(key: str, least: int, most: int, default: int) -> Stored[int]:
    """A whole number between two bounds."""
    return Stored(key, default, lambda text: max(least, min(most, int(text))), str)


def switch(key: str, on: str, off: str, *, default: bool) -> Stored[bool]:
    """Yes or no, stored as one of two words."""
    states = {on: True, off: False}

    def read(text: str) -> bool:
        if text not in states:
            raise ValueError(text)
        return states[text]

    return Stored(key, default, read, lambda value: on if value else off)


def texts(key: str) -> Stored[tuple[str, ...]]:
    """Any number of texts."""

    def read(text: str) -> tuple[str, ...]:
        try:
            return msgspec.json.decode(text, type=tuple[str, ...])
        except msgspec.DecodeError as error:
            raise ValueError(text) from error

    return Stored(key, (), read, lambda value: msgspec.json.encode(value).decode())
