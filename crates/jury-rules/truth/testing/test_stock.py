import unittest
from unittest import mock

import pytest

from shop.stock import Stock, reorder, warehouse


@pytest.mark.skip()
def test_counts_items():
    assert Stock({"a": 2}).count("a") == 2


@pytest.mark.skip(reason="the warehouse API is down until May")
def test_counts_items_of_the_warehouse():
    assert warehouse().count("a") == 2


def test_takes_items():
    stock = Stock({"a": 2})
    stock.take("a")
    stock.take("a")


def test_takes_the_last_item():
    stock = Stock({"a": 1})
    stock.take("a")
    assert stock.count("a") == 0


def test_is_thread_safe():
    pass


def test_refuses_to_take_what_is_not_there():
    with pytest.raises(KeyError):
        Stock({}).take("a")


def test_names():
    stock = Stock({"a": 1})
    names = stock.names()
    assert names == names


def test_names_of_two():
    stock = Stock({"a": 1, "b": 1})
    names = stock.names()
    assert names == ["a", "b"]


def test_has_items():
    stock = Stock({"a": 1})
    assert stock.count("a") > 5 or True


def test_has_enough_items():
    stock = Stock({"a": 1})
    assert stock.count("a") > 5 or stock.is_refilled


def test_message():
    stock = Stock({"a": 1})
    assert (stock.count("a") == 3, "counts what was put in")


def test_message_outside():
    stock = Stock({"a": 1})
    assert (stock.count("a") == 1), "counts what was put in"


def test_survives_a_lost_connection():
    try:
        stock = warehouse()
        assert stock.count("a") == 7
    except Exception:
        pass


def test_tells_of_a_lost_connection():
    try:
        warehouse().close()
    except ConnectionError as error:
        assert "closed" in str(error)


def test_orders_again():
    with mock.patch("shop.stock.order") as order:
        reorder("a")
        assert order.called_once_with("a")


def test_orders_once():
    with mock.patch("shop.stock.order") as order:
        reorder("a")
        order.assert_called_once_with("a")


def test_does_not_order():
    with mock.patch("shop.stock.order") as order:
        reorder("none")
        order.assert_not_called


def test_does_not_order_nothing():
    with mock.patch("shop.stock.order") as order:
        reorder("none")
        order.assert_not_called()


class TestStock(unittest.TestCase):
    def setUp(self):
        self.stock = Stock({"a": 4})

    def test_count(self):
        self.assertTrue(self.stock.count("a"), 4)

    def test_exact_count(self):
        self.assertEqual(self.stock.count("a"), 4)

    def test_same(self):
        self.assertEqual(self.stock, self.stock)

    def test_equal(self):
        self.assertEqual(self.stock, Stock({"a": 4}))

    def test_take(self):
        self.stock.take("a")
        self.assertEqual(self.stock.count("a"), 3)

    def test_take_twice(self):
        self.stock.take("a")
        self.stock.take("a")
        self.assertEqual(self.stock.count("a"), 2)

    def test_take(self):
        self.stock.take("a", 4)
        self.assertEqual(self.stock.count("a"), 0)
