"""Work of several threads that begin at the same moment."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from modelmon.core.load.threads import start

if TYPE_CHECKING:
    from collections.abc import Callable


def together(count: int, work: Callable[[int], None]) -> None:
    """Call `work` with 0 to `count` - 1, with 0 in this thread, none before all threads are there.

    Raises the first error of any of them, and LoadFailedError where the system starts no more.
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
            start(thread)
    except BaseException:
        begin.abort()
        raise
    follow(0)
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
