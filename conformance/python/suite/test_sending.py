"""Sends: one, many, batches, and what does not go."""

import asyncio
from datetime import datetime, timedelta, timezone

import pytest
from azure.servicebus import ServiceBusMessage
from azure.servicebus.exceptions import MessageSizeExceededError, ServiceBusError

from .clients import body, take, take_one

rule = pytest.mark.rule
KIB = 1024
TOO_LARGE = "amqp:link:message-size-exceeded"
OUT_OF_RANGE = "com.microsoft:argument-out-of-range"


@rule("S-001", "S-002", "S-004", "S-005", "S-024", "S-030", "T-08", "T-12")
async def test_send_one_and_complete_it(queue):
    await queue.send("order-1")

    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        assert body(message) == "order-1"
        await receiver.complete_message(message)

    assert await queue.bodies() == []


@rule("S-012", "S-135", "S-140")
async def test_send_many_from_several_senders_at_once(queue):
    async def producer(name):
        async with queue.sender() as sender:
            for number in range(50):
                await sender.send_messages(ServiceBusMessage(f"{name}-{number}"))

    await asyncio.gather(*(producer(name) for name in "abcd"))

    messages = await queue.peek(250)
    numbers = [message.sequence_number for message in messages]
    assert numbers == sorted(set(numbers)) and len(numbers) == 200
    for name in "abcd":
        own = [text for text in map(body, messages) if text.startswith(name)]
        assert own == [f"{name}-{number}" for number in range(50)], "each sender's order is kept"


@rule("S-405", "S-406", "T-51", "T-52")
async def test_send_a_batch_and_a_batch_of_one_and_a_list(queue):
    async with queue.sender() as sender:
        batch = await sender.create_message_batch()
        for number in range(100):
            properties = {"number": number}
            batch.add_message(
                ServiceBusMessage(
                    f"{number}", message_id=f"id-{number}", application_properties=properties
                )
            )
        await sender.send_messages(batch)
        alone = await sender.create_message_batch()
        alone.add_message(ServiceBusMessage("alone"))
        await sender.send_messages(alone)
        await sender.send_messages([ServiceBusMessage("first"), ServiceBusMessage("second")])

    async with queue.receiver() as receiver:
        messages = await take(receiver, 103)

    assert [body(m) for m in messages] == [str(n) for n in range(100)] + [
        "alone",
        "first",
        "second",
    ]
    assert [m.message_id for m in messages[:100]] == [f"id-{n}" for n in range(100)]
    assert [m.application_properties[b"number"] for m in messages[:100]] == list(range(100))


@rule("S-407", "S-511", "T-09")
async def test_a_batch_takes_no_more_than_fits(queue, refused):
    async with queue.sender() as sender:
        batch = await sender.create_message_batch(max_size_in_bytes=10 * KIB)
        batch.add_message(ServiceBusMessage("x" * 9 * KIB))
        with pytest.raises(MessageSizeExceededError) as raised:
            batch.add_message(ServiceBusMessage("x" * 2 * KIB))
        refused("batch-too-large", raised.value, MessageSizeExceededError, transient=False)
        await sender.send_messages(batch)

    assert len(await queue.peek()) == 1


@rule("S-431", "S-511", "T-09", "T-67")
async def test_a_message_too_large_is_refused_and_the_sender_lives_on(queue, refused):
    async with queue.sender() as sender:
        await sender.send_messages(ServiceBusMessage(b"x" * 60 * KIB))
        with pytest.raises(MessageSizeExceededError) as raised:
            await sender.send_messages(ServiceBusMessage(b"x" * 65 * KIB))
        refused("message-too-large", raised.value, MessageSizeExceededError, False, TOO_LARGE)
        await sender.send_messages(ServiceBusMessage("after"))

    assert [len(b"".join(m.body)) for m in await queue.peek()] == [60 * KIB, 5]


@rule("S-006", "S-007", "S-008", "S-073", "S-515", "T-06", "T-74")
async def test_a_message_id_of_129_characters_is_refused(queue, refused):
    async with queue.sender() as sender:
        with pytest.raises(ServiceBusError) as raised:
            # The SDK itself refuses such an id, the plain AMQP message below it does not.
            message = ServiceBusMessage("too long a name")
            message.raw_amqp_message.properties.message_id = "m" * 129
            await sender.send_messages(message)
        refused("message-id-too-long", raised.value, ServiceBusError, False, OUT_OF_RANGE)
        assert "TrackingId:" in str(raised.value)
        await sender.send_messages(ServiceBusMessage("after", message_id="m" * 128))

    assert await queue.bodies() == ["after"]


@rule("S-148", "S-149", "S-151", "S-153", "S-154", "S-220")
async def test_a_scheduled_message_comes_when_it_is_due(queue):
    far = datetime.now(timezone.utc) + timedelta(hours=1)
    async with queue.sender() as sender:
        messages = [ServiceBusMessage("far"), ServiceBusMessage("never")]
        numbers = await sender.schedule_messages(messages, far)
        await sender.cancel_scheduled_messages(numbers[1])
        with pytest.raises(ServiceBusError):
            await sender.cancel_scheduled_messages(numbers[1])
        await sender.send_messages(ServiceBusMessage("now"))
        waiting = await queue.peek()
        due = datetime.now(timezone.utc) + timedelta(seconds=2)
        (promised,) = await sender.schedule_messages(ServiceBusMessage("soon"), due)

    async with queue.receiver() as receiver:
        first, second = await take(receiver, 2)

    assert [(body(m), m.state.name) for m in waiting] == [("far", "SCHEDULED"), ("now", "ACTIVE")]
    assert [body(first), body(second)] == ["now", "soon"]
    assert datetime.now(timezone.utc) >= due
    assert second.sequence_number > promised > first.sequence_number
