"""pytest: a fixture that moves the time of `./peeklock serve --in-memory --test-clock`."""

import json
import os
import urllib.request

import pytest

URL = os.environ.get("PEEKLOCK_URL", "http://127.0.0.1:5672") + "/$peeklock/clock"


class Clock:
    def _ask(self, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(URL, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["now"]

    def now(self):
        return self._ask()

    def advance(self, seconds):
        return self._ask({"advance": f"PT{seconds}S"})


@pytest.fixture
def peeklock_clock():
    return Clock()
