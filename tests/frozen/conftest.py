"""`pytest tests/frozen --renew` keeps what commands say now."""


def pytest_addoption(parser):
    parser.addoption("--renew", action="store_true", help="keep what commands say now as expected")
