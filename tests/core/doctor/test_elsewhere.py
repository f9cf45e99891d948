"""What a server says of a model, where it cannot be so."""

import msgspec
import pytest

from modelmon.core.doctor import inspection as elsewhere
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import ModelFileError
from modelmon.core.remote import Place

change = msgspec.structs.replace


@pytest.mark.parametrize("wrong", [{"bucket_bytes": 0}, {"page_bytes": 0}, {"files": ()}])
def test_that_a_map_of_the_page_cache_that_cannot_be_is_refused(sample, wrong):
    place = Place(str(sample), "ssh://gpu")
    said = inspect_model(sample)
    assert elsewhere.from_server(said, place).server == place.server
    assert said.cache_map is not None
    told = change(said, cache_map=change(said.cache_map, **wrong))
    with pytest.raises(ModelFileError, match="can't be right"):
        elsewhere.from_server(told, place)
