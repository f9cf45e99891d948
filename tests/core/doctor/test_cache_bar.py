from modelmon.core.doctor.sections import cache_bar
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap

PAGE = 4096
BUCKET = 4 * PAGE


def _file(*cached, short=0):
    return FileResidency(len(cached) * BUCKET - short, "cachestat", cached)


def test_that_a_half_cached_file_is_half_a_bar():
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(*[4] * 28, *[0] * 28),)))
    assert bar == f"[{'█' * 28}{' ' * 28}]"


def test_that_only_what_is_wholly_there_looks_full_and_only_nothing_looks_empty():
    quarters = [*[1] * 14, *[2] * 14, *[3] * 14, *[4] * 14]
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(*quarters),)))
    assert bar == f"[{'░' * 14}{'▒' * 14}{'▓' * 14}{'█' * 14}]"


def test_that_files_are_as_long_as_they_are_large_and_an_unknown_one_is_no_empty_one():
    unknown = FileResidency(BUCKET, "unknown: not yours")
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(4, 4, 4, short=PAGE), unknown)))
    full, question = bar.strip("[]").split("│")
    assert set(full) == {"█"}
    assert set(question) == {"?"}
    assert 2 < len(full) / len(question) < 3
    assert len(bar) == 56 + 3


def test_that_a_short_last_bucket_can_be_full():
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(4, 1, short=3 * PAGE + 1),)))
    assert bar == f"[{'█' * 56}]"
