"""The broker goes away in the middle of senders' and receivers' lives; both clients at once."""

import asyncio

import pytest
from azure.servicebus import ServiceBusMessage
from azure.servicebus.exceptions import ServiceBusConnectionError, ServiceBusError

from .clients import FEW_RETRIES, body, take, take_one
from .connection import control

pytestmark = pytest.mark.restarts
rule = pytest.mark.rule
PATIENT = {"retry_total": 8, "retry_backoff_factor": 0.2, "retry_backoff_max": 3}
MESSAGES = 120


async def outlive(queues, word):
    """Messages flow through every queue; once they do, the broker is restarted."""
    flows, flowing = [], []

    for queue in queues:
        flowing.append(asyncio.Event())
        flows.append(asyncio.create_task(flow(queue, flowing[-1])))
    for event in flowing:
        await asyncio.wait_for(event.wait(), 30)
    await control(word)
    await asyncio.gather(*flows)


async def flow(queue, flowing):
    patient = queue.seen_with(**PATIENT)
    accepted, seen = [], []

    async def produce(sender):
        for number in range(MESSAGES):
            await sender.send_messages(ServiceBusMessage(f"{number}"))
            accepted.append(f"{number}")

    async def consume(receiver):
        while len(set(seen)) < MESSAGES:
            message = await take_one(receiver, within=40)
            seen.append(body(message))
            await receiver.complete_message(message)
            if len(seen) == 10:
                assert len(accepted) < MESSAGES, "the broker goes while messages are being sent"
                flowing.set()

    async with patient.sender() as sender, patient.receiver() as receiver:
        await asyncio.gather(produce(sender), consume(receiver))

    assert len(accepted) == MESSAGES
    assert set(seen) == set(accepted), "no accepted message is lost"


@rule("S-001", "S-003", "S-040", "S-043", "S-116")
async def test_senders_and_receivers_outlive_a_restart(queues):
    await outlive(queues, "restart")


@rule("S-001", "S-003", "S-040", "S-043", "S-116")
async def test_senders_and_receivers_outlive_a_kill(queues):
    await outlive(queues, "kill")


@rule("S-001", "S-039", "S-042", "S-116")
async def test_what_was_locked_deferred_or_dead_is_there_after_a_kill(queues):
    tokens = await asyncio.gather(*map(leave_behind, queues))
    await control("kill")
    await asyncio.gather(*map(find_again, queues, tokens))


async def leave_behind(queue):
    await queue.send("dead", "deferred", "abandoned", "completed", "locked")
    async with queue.receiver() as receiver:
        dead, deferred, abandoned, completed, _ = await take(receiver, 5)
        await receiver.dead_letter_message(dead, reason="before")
        await receiver.defer_message(deferred)
        await receiver.complete_message(completed)
        await receiver.abandon_message(abandoned)
        again = await take_one(receiver)
        assert (body(again), again.delivery_count) == ("abandoned", 1)
        # An answer from the management node: the settlements before it were received.
        await receiver.peek_messages(1)
        return again.lock_token


async def find_again(queue, old_token):
    async with queue.receiver() as receiver:
        deferred, *others = await receiver.peek_messages(10)
        assert body(deferred) == "deferred"
        assert [body(m) for m in others] == ["abandoned", "locked"]
        first, second = await take(receiver, 2)
        assert [(body(m), m.delivery_count) for m in (first, second)] == [
            ("abandoned", 1),
            ("locked", 0),
        ]
        assert first.lock_token != old_token
        (again,) = await receiver.receive_deferred_messages([deferred.sequence_number])
        assert (body(again), again.delivery_count) == ("deferred", 1)
        for message in (first, second, again):
            await receiver.complete_message(message)
    async with queue.dead_letters() as receiver:
        message = await take_one(receiver)
        assert message.dead_letter_reason == "before"
        await receiver.complete_message(message)
    assert await queue.bodies() == []


@rule("T-06")
async def test_the_clients_say_when_the_broker_is_gone(queues, refused, caplog):
    senders = [queue.seen_with(socket_timeout=2, **FEW_RETRIES).sender() for queue in queues]
    for sender in senders:
        await sender.__aenter__()
        await sender.send_messages(ServiceBusMessage("before"))
    await control("stop")
    try:
        for sender in senders:
            with pytest.raises(ServiceBusError) as raised:
                await sender.send_messages(ServiceBusMessage("into the void"), timeout=5)
            code = "amqp:socket-error"
            assert (
                "[b'amqp:connection:forced', b'The broker is shutting down', None]" in caplog.text
            )
            caplog.clear()
            refused("broker-gone", raised.value, ServiceBusConnectionError, True, code)
    finally:
        await control("start")

    for sender, queue in zip(senders, queues, strict=True):
        await sender.send_messages(ServiceBusMessage("after"))
        await sender.__aexit__(None, None, None)
        assert await queue.bodies() == ["before", "after"]
