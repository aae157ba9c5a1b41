"""Where the broker is, and how to come in with other keys than the good one."""

import asyncio
import base64
import hashlib
import hmac
import os
import time
from urllib.parse import quote, urlsplit

CONNECTION = os.environ.get("PEEKLOCK_CONNECTION", "")


def parts(text=CONNECTION):
    """A connection string as a dictionary."""
    return dict(part.split("=", 1) for part in text.split(";") if part)


def with_parts(**changes):
    """The good connection string with some parts changed; None leaves one out."""
    changed = {**parts(), **changes}
    return ";".join(f"{key}={value}" for key, value in changed.items() if value is not None)


def address():
    """Host and port."""
    endpoint = urlsplit(parts()["Endpoint"])
    return endpoint.hostname, endpoint.port or 5672


def signature(expiry_seconds):
    """A signed token for the whole namespace that ends at a time in seconds since 1970."""
    resource = quote("sb://localhost/", safe="")
    key = parts()["SharedAccessKey"].encode()
    digest = hmac.new(key, f"{resource}\n{expiry_seconds}".encode(), hashlib.sha256).digest()
    signed = quote(base64.b64encode(digest), safe="")
    policy = parts()["SharedAccessKeyName"]
    return f"SharedAccessSignature sr={resource}&sig={signed}&se={expiry_seconds}&skn={policy}"


def with_signature(seconds_from_now):
    """A connection string that carries a token in place of the key."""
    token = signature(int(time.time()) + seconds_from_now)
    return with_parts(SharedAccessKeyName=None, SharedAccessKey=None, SharedAccessSignature=token)


async def control(word):
    """Lets the broker be killed, restarted, stopped or started; returns when that is done."""
    host, port = os.environ["PEEKLOCK_CONTROL"].rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(f"{word}\n".encode())
        await writer.drain()
        answer = await reader.readline()
        assert answer == b"ok\n", f"{word} was answered {answer!r}"
    finally:
        writer.close()
