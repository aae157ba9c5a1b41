"""TLS with the broker's own authority, and AMQP over WebSockets."""

import os

import pytest
from azure.servicebus import ServiceBusMessage, TransportType

from .clients import take
from .connection import address, with_parts

rule = pytest.mark.rule
SIZES = [1, 100_000, 3_000_000]
ENCRYPTED = with_parts(UseDevelopmentEmulator=None)
TRUST = {"connection_verify": os.environ.get("PEEKLOCK_CA")}
HOST, PORT = address()

# Of the endpoint this client takes no port when it encrypts: only of the custom one.
HERE = {"custom_endpoint_address": f"sb://{HOST}:{PORT}"}
WEB_SOCKET = {"transport_type": TransportType.AmqpOverWebsocket, **HERE}


async def there_and_back(queue):
    async with queue.sender() as sender:
        for size in SIZES:
            await sender.send_messages(ServiceBusMessage(b"x" * size))
    async with queue.receiver() as receiver:
        messages = await take(receiver, len(SIZES))
        assert [sum(map(len, message.body)) for message in messages] == SIZES
        for message in messages:
            await receiver.complete_message(message)
        assert await receiver.peek_messages(1) == []


@rule("S-481")
async def test_through_tls(queue):
    await there_and_back(queue.seen_with(ENCRYPTED, **TRUST, **HERE))


@rule("S-481")
async def test_through_a_web_socket(queue):
    await there_and_back(queue.seen_with(ENCRYPTED, **TRUST, **WEB_SOCKET))


async def test_through_a_web_socket_in_the_clear(queue):
    await there_and_back(queue.seen_with(**WEB_SOCKET))
