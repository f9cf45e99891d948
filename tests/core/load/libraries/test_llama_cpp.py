"""llama.cpp in Python, where it is installed."""

import pytest
from tests.core.load.libraries.conftest import request_for

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.libraries.registry import baseline


def test_that_llama_cpp_loads_a_whole_model_and_hides_where(samples, run_library):
    request = request_for(samples["gguf"])
    load, records = run_library("llama-cpp.read", request, "usable")
    assert load.memory_kind == "owned"
    assert load.checksum() is None
    assert sum(record[3] for record in records) == sum(t.nbytes for t in request.tensors)
    assert len({record[2].start_ns for record in records}) == 1


def test_that_llama_cpps_refusal_is_a_sentence_with_its_reason(samples, tmp_path):
    path = tmp_path / "strange.gguf"
    path.write_bytes(samples["gguf"].read_bytes().replace(b"llama", b"xlama"))
    library = baseline("llama-cpp.read")
    library.prepare()
    with pytest.raises(LoadFailedError, match="unknown model architecture: 'xlama'"):
        next(iter(library.load(request_for(path))))
