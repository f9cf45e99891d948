from modelmon.core.messages import Message


def test_that_what_is_saved_can_be_added_to(load, tmp_path):
    why = Message("{name} isn't installed", name="other")
    arm = load("records").Arm("other", "library", "owned", library="other", obstacle=why)
    arms = {("dense", arm.name): arm}
    report = load("report").Report({"size scale": 1.0}, tmp_path, arms, [], [])
    saved = tmp_path / "saved.json"
    saved.write_bytes(report.as_json())
    (earlier,) = load("earlier").read_earlier(saved, 1.0).arms
    assert (earlier.name, earlier.obstacle) == ("other", "other isn't installed")
