"""Whether what modelmon says of one storage holds together. Pure: texts and JSON in, sentences out.

`told` is what tests/system/walk.py collects: documents by their command (`doctor`, `compare`,
`best`, and `runs` by strategy) and `texts` by where they stand. What is missing is not checked.
"""

import re
from math import inf
from statistics import median
from typing import NamedTuple

USUAL = "mmap"
"""What people use before modelmon says otherwise."""
WORTH = 1.05
_CLEARLY, _FAR = 1.15, 1.2
_ALIKE = 1.06
_ONE_LIMIT = 1.15
_BEATEN = 1.1
_PREDICTED = 1.2
_READERS_HURT, _READERS_HELP, _MUCH_FASTER = 0.95, 1.1, 1.1
_WAITS, _AFTER = 0.4, 0.4
_MANY_PAIRS = 10
_BLAMES_STORAGE = {"device-bandwidth", "device-latency", "amplification", "storage"}
_UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}
_RATES = {"B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12}
_N = r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)"
_TIME = rf"{_N} (ns|µs|ms|s|min|h)\b"
_RATE = rf"{_N} ([kMGT]?B/s)"
_STRATEGY = r"([a-z][\w-]*(?:\.\w[\w-]*)*(?:, with threads)?|[AB])"
_CHOSEN = re.compile(
    # With settings of its own it's another.
    rf"\b(?:[Uu]se|[Kk]eep|[Tt]ry) (?!either|the |a |one |large){_STRATEGY}(?![\w-]| \(\w+ \d)"
)
_FASTER = re.compile(rf"(?<!\bto ){_N}× as fast")
_LESS = re.compile(
    rf"(?<!\bto )(?<!\bbetween )(?:saves (?:only |about )?{_N}%|{_N}% less(?: time)?\b)"
)
_LONGER = re.compile(rf"(?<!\bto ){_N}% longer")
_INSTEAD = re.compile(rf"{_TIME} instead of {_TIME}|[Mm]edian times {_TIME} and {_TIME}")
_MORE_READERS = re.compile(r"\b(more|several|many|parallel|additional) (readers|threads)\b")
_ONE_READER = re.compile(r"\b(one|a single|fewer) readers?\b")
_NOTHING_HELPS = re.compile(r"[Oo]nly (a faster disk|fewer bytes)|nothing (here )?is faster")
_FASTEST = re.compile(
    r"(?:[Ff]astest (?:possible|cold|load)(?: start)?(?:, from [^:]*:)?\s*(?:Predicted[^\n]*\n)?"
    rf"(?:about )?|limit \(){_TIME}([^\n]*\bpredicted\b)?"
)
_MEASURE = re.compile(r"Measure the disk|doctor (\S+ )?--probe")
_LIMITED = re.compile(rf"limited by[^:]*bandwidth: {_RATE}")
_AS_FAST_AS_POSSIBLE = re.compile(r"as fast as (is )?possible", re.IGNORECASE)


class Advice(NamedTuple):
    """What is advised for loads with a strategy."""

    where: str
    of: str
    text: str


def contradictions(told):
    """Each contradiction as a sentence, those of one kind together."""
    rules = (
        *(
            _against_probe,
            _measured_already,
            _denied_gains,
            _denied_helplessness,
            _denied_by_predictions,
        ),
        *(_ratios_of_texts, _ratios_of_documents, _unsure_advice, _undecided_all_the_same),
        *(_beaten_limits, _several_limits, _several_ranges, _unknown_causes, _ends_of_waits),
        *(_other_choices, _other_first_guess, _opposite_advice, _other_words),
    )
    return list(dict.fromkeys(each for rule in rules for each in rule(told)))


def _number(text):
    return float(text.replace(",", ""))


def _documents(told):
    return ((name, told[name]) for name in ("compare", "best") if name in told)


def _results(told):
    """Every run, by the command that made it."""
    for run in told.get("runs", {}).values():
        yield "run", run["result"]
    for arm in ("runs_a", "runs_b"):
        for result in told.get("compare", {}).get(arm, ()):
            yield "compare", result
    for run in told.get("best", {}).get("runs", ()):
        yield "best", run["result"]


def _cold_ns(told):
    """Times of whole cold loads that count, by strategy."""
    found = {}
    for _, run in _results(told):
        whole = run.get("load_bytes") == run.get("model_bytes") or not run.get("portion")
        if run.get("counts") and whole and run.get("cache_state", "cold").startswith("cold"):
            found.setdefault(run["strategy"], []).append(run["wall_ns"])
    return found


def _bottlenecks(told):
    """Where each is said, of which strategy, and what it is (None: no clear one)."""
    for name, run in told.get("runs", {}).items():
        waits = max(run["result"].get("io_wait_share") or 0, _faulting_share(told, run["result"]))
        yield f"run {name}", run["result"]["strategy"], run.get("bottleneck"), waits
    for arm in ("arm_a", "arm_b"):
        if found := told.get("compare", {}).get(arm):
            yield "compare", found["strategy"], found.get("bottleneck"), found.get("io_wait_share")
    for each in told.get("best", {}).get("standings", ()):
        if each.get("runs"):
            yield "best", each["label"], each.get("bottleneck"), each.get("io_wait_share")


def _faulting_share(told, run):
    """Its page faults with I/O, each as long as the probe's small reads, of its time."""
    latency = told.get("doctor", {}).get("probe", {}).get("storage", {}).get("latency", {})
    return (run.get("major_faults") or 0) * latency.get("p50_ns", 0) / run["wall_ns"]


def _advice(told):
    for finding in told.get("doctor", {}).get("findings", ()):
        yield Advice("doctor", USUAL, finding.get("remedy", ""))
    for where, of, found, _ in _bottlenecks(told):
        yield Advice(where, of, (found or {}).get("remedy", ""))
    for where, run in _results(told):
        for warning in run.get("warnings", ()):
            yield Advice(where, run["strategy"], warning.get("remedy", ""))
    if compare := told.get("compare"):
        yield Advice("compare", compare["arm_a"]["strategy"], compare["verdict"]["sentence"])
    if best := told.get("best", {}).get("recommendation"):
        for text in (best["sentence"], *(each["text"] for each in best.get("advice", ()))):
            yield Advice("best", best["label"], text)


def _named(text, but=""):
    """The strategies that a piece of advice names."""
    of_preset = rf"(?:\(|--strategy ){_STRATEGY}[ ):]"
    names = [*_CHOSEN.findall(text), *re.findall(of_preset, text)]
    return {name for name in names if name not in {but, "A", "B"}}


def _readers_gain(told):
    """The best rate of several readers ÷ that of one, as the probe measured both."""
    storage = told.get("doctor", {}).get("probe", {}).get("storage", {})
    rates = [(each["readers"], each["bytes_per_s"]) for each in storage.get("readers", ())]
    several = [rate for readers, rate in rates if readers > 1]
    alone = [rate for readers, rate in rates if readers == 1]
    alone += [storage[way]["bytes_per_s"] for way in ("sequential", "buffered") if way in storage]
    return max(several) / max(alone) if several and alone else None


def _against_probe(told):
    gain = _readers_gain(told)
    for where, of, text in _advice(told) if gain else ():
        if gain < _READERS_HURT and _MORE_READERS.search(text):
            yield f"{where} ({of}): “{text}”, but the probe's readers are {gain:.2f}× as fast"
        if gain > _READERS_HELP and _ONE_READER.search(text):
            yield f"{where} ({of}): “{text}”, but the probe's readers are {gain:.2f}× as fast"
    winner = told.get("compare", {})
    if gain and gain < _READERS_HURT and winner.get("verdict", {}).get("winner") in ("A", "B"):
        arm = winner[f"arm_{winner['verdict']['winner'].lower()}"]
        slower = re.search(r"\d+ readers are slower", told.get("texts", {}).get("doctor", ""))
        if arm["config"].get("readers", 1) > 1 and slower:
            yield f"doctor: “{slower[0]}”, but {arm['strategy']} with several wins"


def _measured_already(told):
    """Advice to measure the disk, which doctor just did."""
    for where, of, text in _advice(told) if told.get("doctor", {}).get("probe") else ():
        if where != "doctor" and _MEASURE.search(text) and "again" not in text:
            yield f"{where} ({of}): “{text}”, but doctor --probe was run"


def _denied_gains(told):
    """Advice to use what runs show to be slower: even its best against the middle of the other."""
    times = _cold_ns(told)
    for where, of, text in _advice(told):
        for name in _named(text, of) & times.keys():
            if of in times and min(times[name]) > _CLEARLY * median(times[of]):
                factor = min(times[name]) / median(times[of])
                yield f"{where} ({of}): “{text}”, but {name} took {factor:.2f}× as long"


def _denied_helplessness(told):
    """That nothing helps, beside something that did."""
    times = _cold_ns(told)
    for where, of, text in _advice(told):
        if not _NOTHING_HELPS.search(text) or of not in times:
            continue
        for name, other in times.items():
            if max(other) * _FAR < min(times[of]):
                factor = min(times[of]) / max(other)
                yield f"{where} ({of}): “{text}”, but {name} was {factor:.2f}× as fast"


def _predicted_ns(told):
    """The cold times of doctor's table, by strategy."""
    rows = told.get("doctor", {}).get("expected") or ()
    return {row["strategy"]: row["cold"]["ns"] for row in rows if row.get("measured")}


def _denied_by_predictions(told):
    predicted, times = _predicted_ns(told), _cold_ns(told)
    for where, of, text in _advice(told):
        for name in _named(text, of) & predicted.keys():
            # What runs beside each other showed, only a prediction far off denies.
            gain = 1 / _CLEARLY if where in ("compare", "best") else WORTH
            if of in predicted and predicted[name] * gain > predicted[of]:
                yield f"{where} ({of}): “{text}”, but doctor predicts no gain from {name}"
    if measured := {name: median(times[name]) for name in predicted if name in times}:
        first = min(measured, key=predicted.__getitem__)
        best = min(measured, key=measured.__getitem__)
        apart = min(times[first]) > WORTH * max(times[best])
        if apart and measured[first] > _FAR * measured[best]:
            factor = measured[first] / measured[best]
            yield f"doctor: predicts {first} as fastest, but {best} was {factor:.2f}× as fast"


def _headlines(told):
    """Each line with the next, of every text and of what documents say."""
    for where, text in told.get("texts", {}).items():
        lines = text.splitlines()
        for line, following in zip(lines, [*lines[1:], ""], strict=True):
            yield where, line, following
    for where, document in _documents(told):
        said = document.get("verdict") or document.get("recommendation")
        reason = said.get("reason") or " ".join(said.get("reasons", ()))
        yield f"{where} --json", said["sentence"], reason


def _faster(line):
    """How many times as fast a line says that something is, and in which words."""
    if found := _FASTER.search(line):
        return _number(found[1]), found[0]
    if found := _LESS.search(line):
        return 1 / max(1e-9, 1 - _number(found[1] or found[2]) / 100), found[0]
    if found := _LONGER.search(line):
        return 1 / (1 + _number(found[1]) / 100), found[0]
    return None


def _ratios_of_texts(told):
    """A ratio, and in the same or the next line two times that have another one."""
    for where, line, following in _headlines(told):
        said, times = _faster(line), _INSTEAD.search(line) or _INSTEAD.search(following)
        if not said or not times:
            continue
        value, unit, other, other_unit = (each for each in times.groups() if each)
        first, second = _number(value) * _UNITS[unit], _number(other) * _UNITS[other_unit]
        found = second / first
        if max(found / said[0], said[0] / found) > _ALIKE:
            yield f"{where}: “{said[1]}” beside “{times[0]}”, which is {found:.2f}×"


def _ratios_of_documents(told):
    """A headline's ratio beside the times of the table, and a ranking's beside its times."""
    compare = told.get("compare")
    if compare and (said := _faster(compare["verdict"]["sentence"])):
        a, b = (compare[arm]["expected_ns"] for arm in ("arm_a", "arm_b"))
        factor, found = max(said[0], 1 / said[0]), max(a, b) / min(a, b)
        if max(found / factor, factor / found) > _ALIKE:
            yield f"compare: “{said[1]}” beside times that are {found:.2f}× apart"
    standings = {each["label"]: each for each in told.get("best", {}).get("standings", ())}
    for each in standings.values():
        other = standings.get(each.get("against", ""), {})
        if each.get("ratio") and each.get("expected_ns") and other.get("expected_ns"):
            found = each["expected_ns"] / other["expected_ns"]
            if max(found / each["ratio"], each["ratio"] / found) > _ALIKE:
                said = f"{each['label']} has {each['ratio']:.2f}×"
                yield f"best: {said} beside {found:.2f}× by its times"


def _range(record):
    for name in ("ratio", "estimate"):
        if record.get(f"{name}_low") and record.get(f"{name}_high"):
            return record[f"{name}_low"], record[f"{name}_high"]
    return None


def _unsure_advice(told):
    """“Use X” in place of what is used now, where the range includes 1 or nothing was compared."""
    compare = told.get("compare")
    if compare:
        verdict, arm_b = compare["verdict"], compare["arm_b"]["strategy"]
        found, bounds = _CHOSEN.search(verdict["sentence"]), _range(verdict)
        keeps = compare["arm_a"]["strategy"] == arm_b or not found or found[0][0] in "Kk"
        simpler = verdict["winner"] == "no-difference"
        replaces = found and not keeps and not simpler and found[1] == arm_b
        if replaces and bounds and bounds[0] <= 1 <= bounds[1]:
            yield f"compare: “{verdict['sentence']}”, range {bounds[0]:.2f}× to {bounds[1]:.2f}×"
    for where, line, following in _headlines(told):
        if re.match(r"(Use|Set) (?!either)", line):
            for at, said in enumerate(re.split(r"(?<=[.;]) ", following)):
                ranges = [each for each in _ranges_in(said) if each[0] <= 1 <= each[1]]
                if ranges and (not at or re.search(rf"\b({USUAL}|default|usual)\b", said)):
                    yield f"{where}: “{line}” beside “{said}”"
    best = told.get("best")
    if not best:
        return
    said, standings = best["recommendation"], {each["label"]: each for each in best["standings"]}
    label = said.get("baseline") or USUAL
    usual = standings.get(label)
    if usual is None or said["label"] == label or not _CHOSEN.match(said["sentence"]):
        return
    if not usual.get("runs"):
        yield f"best: “{said['sentence']}”, but {label} was not tested"
    elif usual.get("ratio_low") and usual["ratio_low"] <= 1:
        bounds = f"{usual['ratio_low']:.2f}× to {usual['ratio_high']:.2f}×"
        yield f"best: “{said['sentence']}”, but {label} takes {bounds} of its time"


def _undecided_all_the_same(told):
    """No winner, beside a range on one side or times that don't overlap."""
    for where, line, following in _headlines(told):
        if "No clear winner" not in line and "No clear difference" not in line:
            continue
        found = re.search(rf"{_N}% to {_N}% (less|faster)", f"{line} {following}")
        if found and 1 / (1 - min(99.9, _number(found[1])) / 100) >= WORTH:
            yield f"{where}: “{line.strip()}” beside “{found[0]}”"
    compare = told.get("compare")
    if compare and compare["verdict"]["winner"] == "undecided":
        arms = [
            sorted(run["wall_ns"] for run in compare[arm] if run.get("counts"))
            for arm in ("runs_a", "runs_b")
        ]
        if min(map(len, arms)) >= 5:
            fast, slow = sorted(arms, key=median)
            if fast[-1] < slow[0] and median(slow) > WORTH * median(fast):
                yield "compare: no winner, but no run of one is as fast as any of the other"
        pairs = _pairs(compare)
        faster = max(sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))
        middle = median(a / b for a, b in pairs) if pairs else 1
        if (
            len(pairs) >= _MANY_PAIRS
            and faster >= len(pairs) - 1
            and max(middle, 1 / middle) > WORTH
        ):
            yield f"compare: no winner, but {faster} of {len(pairs)} pairs say the same"


def _pairs(compare):
    a, b = (
        {
            run.get("pair", at): run["wall_ns"]
            for at, run in enumerate(compare[arm])
            if run["counts"]
        }
        for arm in ("runs_a", "runs_b")
    )
    return [(a[pair], b[pair]) for pair in a.keys() & b.keys()]


def _beaten_limits(told):
    """Least times, and limits, that a load went below."""
    times = _cold_ns(told)
    if not times:
        return
    name = min(times, key=lambda each: min(times[each]))
    size = next(run["load_bytes"] for _, run in _results(told))
    limits_ns = {where: size / rate * 1e9 for where, rate in _limits(told).items()}
    until_now = inf
    for each, run in told.get("runs", {}).items():
        result = run["result"]
        if not result["counts"] or not result.get("cache_state", "cold").startswith("cold"):
            continue
        until_now = min(until_now, result["wall_ns"])
        own = (ns for where, ns in limits_ns.items() if where.startswith(f"run {each} ("))
        claim = max(run.get("least_reading_ns") or 0, *own, 0)
        if claim > _BEATEN * until_now:
            yield f"run {each}: at best {claim / 1e6:.0f} ms, after {until_now / 1e6:.0f} ms"
    claims = {"doctor": told.get("doctor", {}).get("probe", {}).get("best", {}).get("cold_ns")}
    for where, text in told.get("texts", {}).items():
        for said in _FASTEST.finditer(text):
            # A prediction is known to be off by so much.
            factor = _PREDICTED if said[3] else 1
            claims[where] = _number(said[1]) * _UNITS[said[2]] / factor
    for where, ns in limits_ns.items():
        if where.endswith("limit") and not where.startswith("run"):
            claims[where] = ns
    for where, claim in claims.items():
        least = min(times[name])
        if claim and claim > _BEATEN * least:
            yield f"{where}: at best {claim / 1e6:.0f} ms, but {name} took {least / 1e6:.0f} ms"


def _limits(told):
    """Rates that are called a limit of the storage, by where."""
    rates = {}
    for where, of, found, _ in _bottlenecks(told):
        if found and (said := _LIMITED.search(found["clause"])):
            rates[f"{where} ({of})"] = _number(said[1]) * _RATES[said[2]]
        for figure in (found or {}).get("evidence", ()):
            if figure["name"].endswith("limit") and (said := re.match(_RATE, figure["value"])):
                rates[f"{where} ({of}), {figure['name']}"] = _number(said[1]) * _RATES[said[2]]
    return rates


def _several_limits(told):
    """Loads that are each limited by one storage, at different rates; a faster run may raise what
    later ones are told.
    """
    rates = _limits(told)
    for place, where in enumerate(rates):
        for before in list(rates)[:place]:
            falls = rates[before] > _ONE_LIMIT * rates[where]
            together = where.split()[0] == before.split()[0] != "run"
            if falls or (together and rates[where] > _ONE_LIMIT * rates[before]):
                texts = [f"{rates[each] / 1e6:.3g} MB/s ({each})" for each in (before, where)]
                yield f"two limits of one storage: {' and '.join(texts)}"
                return


def _ranges_in(text):
    """Ranges of a ratio, as how many times as fast."""
    for low, high in re.findall(rf"{_N}×? ?(?:to|–) ?{_N}×", text):
        yield _number(low), _number(high)
    for low, high in re.findall(rf"{_N}%? to {_N}% less", text):
        yield 1 / (1 - _number(low) / 100), 1 / (1 - min(99.9, _number(high)) / 100)
    for less, more in re.findall(rf"{_N}% less and {_N}% more", text):
        yield 1 / (1 + _number(more) / 100), 1 / (1 - min(99.9, _number(less)) / 100)


def _same_range(one, other):
    close = [max(a / b, b / a) < _ALIKE for a, b in zip(one, other, strict=True) if a and b]
    return len(close) == 2 and all(close)


def _several_ranges(told):
    """One headline, one range: also where the details of the window say it again."""
    compare = told.get("compare")
    if not compare:
        return
    said = [f"{compare['verdict']['sentence']} {compare['verdict']['reason']}"]
    for where, text in told.get("texts", {}).items():
        if where.startswith(("compare", "window compare", "export compare")):
            said += [line for line in text.splitlines() if re.search("likely|interval", line)]
    found = [each for text in said for each in _ranges_in(text) if all(each)]
    for other in found[1:]:
        backwards = 1 / other[1], 1 / other[0]
        if not _same_range(found[0], other) and not _same_range(found[0], backwards):
            first, second = (f"{low:.2f}–{high:.2f}×" for low, high in (found[0], other))
            yield f"compare: two ranges of one ratio, {first} and {second}"


def _unknown_causes(told):
    for where, of, found, waits in _bottlenecks(told):
        if (found is None or found["kind"] == "undecided") and (waits or 0) >= _WAITS:
            yield f"{where} ({of}): no clear bottleneck, but {waits:.0%} waits for storage"


def _ends_of_waits(told):
    """A program whose user waits mostly for something else than its reading, which is blamed."""
    watch = told.get("watch")
    if not watch:
        return
    result, text = watch["result"], told.get("texts", {}).get("watch", "")
    after = result["wall_ns"] - (result.get("last_byte_ns") or result["wall_ns"])
    if after < _AFTER * result["wall_ns"]:
        return
    share = f"{after / result['wall_ns']:.0%} of the wait comes after reading"
    if _AS_FAST_AS_POSSIBLE.search(text):
        yield f"watch: “as fast as possible”, but {share}"
    found = watch.get("bottleneck") or {}
    if found.get("kind") in _BLAMES_STORAGE:
        yield f"watch: “{found['label']}”, but {share}"


def _other_choices(told):
    """An export, or Find best, that takes another one than the headline or the comparison."""
    chosen = {}
    for where, document in _documents(told):
        said = (document.get("verdict") or document.get("recommendation"))["sentence"]
        toml = told.get("texts", {}).get(f"toml {where}", "")
        stored = re.search(r'^strategy = "(.+)"', toml, re.MULTILINE)
        if found := _CHOSEN.search(said):
            chosen[where] = found[1]
            # Names of variants have commas in them.
            is_same = stored and re.match(
                rf"{re.escape(stored[1])}(?![\w,-])", said[found.start(1) :]
            )
            if stored and not is_same and found[1] not in {"A", "B"}:
                yield f"export {where}: stores {stored[1]}, but “{said}”"
    verdict = told.get("compare", {}).get("verdict", {})
    early = r"Too early|No clear winner"
    decided = "best" in chosen and not re.match(early, told["best"]["recommendation"]["sentence"])
    if verdict.get("winner") in ("A", "B") and decided:
        slower = told["compare"]["arm_b" if verdict["winner"] == "A" else "arm_a"]["strategy"]
        if chosen["best"] == slower != chosen.get("compare"):
            yield f"best: “use {slower}”, but compare: “{verdict['sentence']}”"


def _other_first_guess(told):
    """What is compared where nobody says with what, beside the fastest of doctor's table."""
    predicted, b = _predicted_ns(told), told.get("compare", {}).get("arm_b", {}).get("strategy")
    first = min(predicted, key=predicted.__getitem__, default=None)
    if b in predicted and predicted[b] > _MUCH_FASTER * predicted[first]:
        factor = predicted[b] / predicted[first]
        yield f"compare: tries {b} first, but doctor predicts {first} as {factor:.2f}× as fast"


def _opposite_advice(told):
    """More readers and fewer, for loads with one strategy."""
    for of in dict.fromkeys(each.of for each in _advice(told)):
        texts = [each for each in _advice(told) if each.of == of]
        more = [each for each in texts if _MORE_READERS.search(each.text)]
        fewer = [each for each in texts if _ONE_READER.search(each.text)]
        if more and fewer:
            yield (
                f"{of}: “{more[0].text}” ({more[0].where}) beside"
                f" “{fewer[0].text}” ({fewer[0].where})"
            )


def _other_words(told):
    """The window shows the answer that the terminal prints."""
    for where, document in _documents(told):
        said = (document.get("verdict") or document.get("recommendation"))["sentence"]
        shown = told.get("texts", {}).get(f"window {where}")
        if shown is not None and said not in shown:
            yield f"window {where}: doesn't say “{said}”"
