import pytest
def test_pour():
    try:
        pour(-1)
    except ValueError as spilt:
        assert spilt.litres == 1
def test_pour_again():
    with pytest.raises(ValueError) as spilt:
        pour(-1)
    assert spilt.value.litres == 1
