"""Work of several threads that begin at the same moment."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable


def together(count: int, work: Callable[[int], None]) -> None:
    """Call `work` with 0 to `count` - 1, with 0 in this thread, none before all threads are there.

    Raises the first error of any of them, and ModelmonError where the system starts no more.
    """
    begin = threading.Barrier(count)
    problems: list[BaseException] = []

    def follow(number: int) -> None:
        try:
            begin.wait()
            work(number)
        except BaseException as error:
            problems.append(error)
            begin.abort()  # interrupted, it may still be waited for

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(1, count)]
    try:
        for thread in threads:
            thread.start()
    except BaseException as error:
        begin.abort()
        if not isinstance(error, RuntimeError):
            raise
        raise ModelmonError(
            Message("The system starts no more threads for modelmon."),
            Message("Raise its limit of processes, or end others."),
        ) from error
    follow(0)
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
