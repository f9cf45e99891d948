NBYTES = 100_000_000


def test_that_a_load_that_returns_before_its_pages_are_there_has_failed(load):
    records, runs = load("records"), load("runs")

    def error(delivery, rise):
        task = records.Task(records.Arm("an arm", "modelmon", delivery), "model", NBYTES)
        answer = records.Answer(delivered_bytes=NBYTES, peak_rise_bytes=rise)
        return runs.checked(answer, task).error

    assert "in memory" in error("usable", NBYTES // 2)
    assert not error("usable", NBYTES)
    assert not error("streamed", NBYTES // 100)
    # Where the platform tells nothing.
    assert not error("owned", None)
