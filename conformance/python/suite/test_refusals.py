"""What the broker refuses, and what the SDK makes of it."""

import time

import pytest
from azure.servicebus import ServiceBusMessage
from azure.servicebus.exceptions import (
    MessageNotFoundError,
    ServiceBusAuthenticationError,
    ServiceBusError,
)

from .clients import FEW_RETRIES, Queue, take_one
from .connection import with_parts, with_signature

rule = pytest.mark.rule
SOON_SECONDS = 10
# Whatever is answered to the token is this one error to the client; what was said is inside.
TOKEN_REFUSED = "amqp:client-error"


async def send_to(queue):
    async with queue.sender() as sender:
        await sender.send_messages(ServiceBusMessage("stray"))


async def receive_from(queue):
    async with queue.receiver() as receiver:
        await receiver.receive_messages(1, max_wait_time=2)


async def error_of(operation, *arguments):
    began = time.monotonic()
    with pytest.raises(ServiceBusError) as raised:
        await operation(*arguments)
    assert time.monotonic() - began < SOON_SECONDS
    return raised.value


@rule("S-006", "S-008", "S-062", "S-509", "S-515", "T-59")
async def test_a_missing_queue_is_said_at_once(clients, refused, nowhere):
    sending = await error_of(send_to, nowhere)
    receiving = await error_of(receive_from, nowhere)

    for error in (sending, receiving):
        said = error.inner_exception
        assert said.status_code == 404
        assert "The messaging entity" in str(said) and "could not be found" in str(said)
        assert "TrackingId:" in str(said)
    refused("unknown-entity-send", sending, ServiceBusAuthenticationError, True, TOKEN_REFUSED)
    refused("unknown-entity-receive", receiving, ServiceBusAuthenticationError, True, TOKEN_REFUSED)


@pytest.fixture
async def nowhere(clients):
    return Queue(clients, "no-such-queue", **FEW_RETRIES)


@rule("S-468", "S-472", "S-478", "S-509")
async def test_a_wrong_key_and_an_unknown_policy_are_refused(queue, refused):
    thief = queue.seen_with(with_parts(SharedAccessKey="bm90LXRoZS1rZXk="), **FEW_RETRIES)
    unknown = queue.seen_with(with_parts(SharedAccessKeyName="nobody"), **FEW_RETRIES)

    for name, other in (("wrong-key", thief), ("unknown-policy", unknown)):
        error = await error_of(send_to, other)
        assert error.inner_exception.status_code == 401
        refused(name, error, ServiceBusAuthenticationError, True, TOKEN_REFUSED)
        await error_of(receive_from, other)

    assert await queue.bodies() == []


@rule("S-466", "S-468", "S-469", "S-474", "T-55", "T-56", "T-57")
async def test_a_token_of_ones_own_is_taken_and_an_expired_one_is_not(queue, refused):
    await queue.seen_with(with_signature(600)).send("welcome")
    late = queue.seen_with(with_signature(-3600), **FEW_RETRIES)

    error = await error_of(send_to, late)

    assert error.inner_exception.status_code == 401
    refused("expired-token", error, ServiceBusAuthenticationError, True, TOKEN_REFUSED)
    assert await queue.bodies() == ["welcome"]


@rule("S-208", "S-211", "S-505", "S-509", "T-06")
async def test_a_number_that_is_not_deferred_is_not_found(queue, refused):
    await queue.send("deferred", "active")
    async with queue.seen_with(**FEW_RETRIES).receiver() as receiver:
        message = await take_one(receiver)
        await receiver.defer_message(message)
        known = message.sequence_number
        for numbers in ([4711], [known + 1], [known, 4711]):
            with pytest.raises(MessageNotFoundError) as raised:
                await receiver.receive_deferred_messages(numbers)
        refused(
            "receive-deferred-unknown",
            raised.value,
            MessageNotFoundError,
            True,
            "com.microsoft:message-not-found",
        )
        (deferred,) = await receiver.receive_deferred_messages([known])
        await receiver.complete_message(deferred)


@rule("S-183", "S-509", "T-06", "T-24")
async def test_nobody_sends_into_a_dead_letter_queue(queue, refused):
    dead_letters = queue.named(f"{queue.name}/$DeadLetterQueue", **FEW_RETRIES)

    error = await error_of(send_to, dead_letters)

    refused("send-to-dead-letter-queue", error, ServiceBusError, False, "amqp:not-allowed")
    async with queue.dead_letters() as receiver:
        assert await receiver.peek_messages(1) == []
