"""Time to live, with and without dead-lettering."""

import datetime
import time

import pytest
from azure.servicebus import ServiceBusMessage
from azure.servicebus.amqp import AmqpAnnotatedMessage, AmqpMessageProperties

from .clients import body, nothing_for, take_one, until

rule = pytest.mark.rule
SECOND = datetime.timedelta(seconds=1)
DAY = datetime.timedelta(days=1)


@rule("S-162", "S-166", "S-167", "S-168", "T-53")
async def test_an_expired_message_is_dropped(queue):
    await queue.send(ServiceBusMessage("short", time_to_live=SECOND), "for ever")

    async def gone():
        return await queue.bodies() == ["for ever"]

    assert await until(gone)
    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        assert body(message) == "for ever" and message.time_to_live is None
        assert await nothing_for(receiver)
    async with queue.dead_letters() as receiver:
        assert await receiver.peek_messages(1) == []


@rule("S-168", "S-176", "S-191")
async def test_an_expired_message_goes_to_the_dead_letter_queue(queue):
    await queue.send(ServiceBusMessage("short", time_to_live=SECOND))

    async with queue.dead_letters() as receiver:
        dead = await take_one(receiver)
        assert body(dead) == "short"
        assert dead.dead_letter_reason == "TTLExpiredException"
        await receiver.complete_message(dead)
    assert await queue.bodies() == []


@rule("S-080", "S-081", "S-162", "S-164", "T-53")
async def test_the_smaller_time_to_live_rules(queue):
    await queue.send(
        ServiceBusMessage("own", time_to_live=60 * SECOND),
        ServiceBusMessage("longer", time_to_live=40 * DAY),
        "default",
    )
    lives = {}
    async with queue.receiver() as receiver:
        for message in await receiver.peek_messages(10):
            lives[body(message)] = message.expires_at_utc - message.enqueued_time_utc

    # The queue's own is an hour.
    assert lives == {"own": 60 * SECOND, "longer": 3600 * SECOND, "default": 3600 * SECOND}


@rule("S-081", "T-53")
async def test_a_time_to_live_beyond_the_header_is_kept(queue):
    """The client's own property ends at 49 days; the two times of the AMQP message do not."""
    now = int(time.time() * 1000)
    long_life = AmqpAnnotatedMessage(
        data_body=[b"a hundred days"],
        properties=AmqpMessageProperties(
            creation_time=now, absolute_expiry_time=now + int(100 * DAY.total_seconds() * 1000)
        ),
    )
    async with queue.sender() as sender:
        await sender.send_messages(long_life)

    (message,) = await queue.peek()
    expiry = message.raw_amqp_message.properties.absolute_expiry_time / 1000
    enqueued = message.enqueued_time_utc.timestamp()
    assert abs(expiry - enqueued - 100 * DAY.total_seconds()) < 2


@rule("S-169", "S-170")
async def test_a_message_that_expires_under_its_lock_can_still_be_completed(queue):
    await queue.send(
        ServiceBusMessage("done in time", time_to_live=10 * SECOND),
        ServiceBusMessage("given up", time_to_live=10 * SECOND),
    )
    async with queue.receiver() as receiver:
        kept = await take_one(receiver)
        given_up = await take_one(receiver)
        end = given_up.expires_at_utc

        async def expired():
            return datetime.datetime.now(datetime.UTC) > end

        assert await until(expired)
        await receiver.complete_message(kept)
        await receiver.abandon_message(given_up)
        assert await nothing_for(receiver)

    async with queue.dead_letters() as receiver:
        dead = await take_one(receiver)
        assert (body(dead), dead.dead_letter_reason) == ("given up", "TTLExpiredException")
        await receiver.complete_message(dead)
        assert await receiver.peek_messages(1, sequence_number=1) == []
