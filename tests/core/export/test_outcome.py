from tests.core.export.outcomes import comparison_of, situation
from tests.core.model.model_files import save


def test_that_a_folder_here_is_not_taken_for_one_on_a_server(tmp_path):
    save(tmp_path / "here.safetensors", "a")
    assert situation(comparison_of("parallel", str(tmp_path))).file.endswith("here.safetensors")
    there = situation(comparison_of("parallel", f"ssh://gpu{tmp_path}"))
    assert (there.server, there.path, there.file) == ("ssh://gpu", str(tmp_path), str(tmp_path))


def test_that_auto_maps_what_is_cached_and_reads_the_rest_directly():
    assert situation(comparison_of("auto", cache="warm")).reading.access == "mapped"
    assert situation(comparison_of("auto")).reading.access == "direct"
