"""When something was, as people say it."""

from __future__ import annotations

import time

from modelmon.gui.language import mark, tr

_DAY_S = 86400
_MONTHS = (
    *(mark("January"), mark("February"), mark("March"), mark("April"), mark("May"), mark("June")),
    *(mark("July"), mark("August"), mark("September"), mark("October"), mark("November")),
    mark("December"),
)


def when_text(unix_s: float, now_unix_s: float) -> str:
    """When something was: `today, 14:07`, `yesterday, 09:30`, `18 November`."""
    then, now = time.localtime(unix_s), time.localtime(now_unix_s)
    clock = time.strftime("%H:%M", then)
    if then[:3] == now[:3]:
        return tr("today, {clock}", clock=clock)
    if then[:3] == time.localtime(now_unix_s - _DAY_S)[:3]:
        return tr("yesterday, {clock}", clock=clock)
    day, month = then.tm_mday, tr(_MONTHS[then.tm_mon - 1])
    if then.tm_year == now.tm_year:
        return tr("{day} {month}", day=day, month=month)
    return tr("{day} {month} {year}", day=day, month=month, year=then.tm_year)
