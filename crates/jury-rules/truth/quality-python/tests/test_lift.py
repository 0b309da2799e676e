import pytest
def test_lift():
    with pytest.raises(BaseException):
        lift(None)
    with pytest.raises(TypeError):
        lift(None)
    with pytest.raises(expected_exception=Exception) as caught:
        lift(2)
    with pytest.raises(Exception, match="heavy") as caught:
        lift(2)
