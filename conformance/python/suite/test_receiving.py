"""Receives: who gets what, and when a call comes back."""

import asyncio
import time

import pytest
from azure.servicebus import ServiceBusMessage, ServiceBusReceiveMode

from .clients import body, nothing_for, take, take_one

rule = pytest.mark.rule


@rule("S-024", "S-027", "S-051", "S-135", "T-14")
async def test_competing_receivers_get_different_messages(queue):
    await queue.send(*(f"{number}" for number in range(20)))

    async def consumer():
        async with queue.receiver() as receiver:
            messages = await take(receiver, 10)
            await receiver.peek_messages(1)
            for message in messages:
                await receiver.renew_message_lock(message)
                await receiver.complete_message(message)
            return [body(message) for message in messages]

    first, second = await asyncio.gather(consumer(), consumer())

    assert sorted(first + second, key=int) == [f"{number}" for number in range(20)]
    assert await queue.bodies() == []


@rule("S-020", "S-021", "S-023", "S-096", "S-119", "T-35", "T-44")
async def test_receive_and_delete_leaves_nothing_to_settle(queue):
    await queue.send("gone", "gone too")
    async with queue.receiver(receive_mode=ServiceBusReceiveMode.RECEIVE_AND_DELETE) as receiver:
        messages = await take(receiver, 2)
        assert [body(m) for m in messages] == ["gone", "gone too"]
        assert [m.delivery_count for m in messages] == [0, 0]
        assert await queue.bodies() == []
        for settle in (receiver.complete_message, receiver.abandon_message, receiver.defer_message):
            with pytest.raises(ValueError):
                await settle(messages[0])
        assert await nothing_for(receiver)


@rule("S-086", "S-410", "T-27")
async def test_a_receive_on_an_empty_queue_comes_back_in_time_again_and_again(queue):
    async with queue.receiver() as receiver:
        assert await nothing_for(receiver)
        began = time.monotonic()
        for _ in range(3):
            assert await nothing_for(receiver, 1)
        assert 2.5 < time.monotonic() - began < 8

        await queue.send("late")
        message = await take_one(receiver)
        assert body(message) == "late" and message.delivery_count == 0
        await receiver.complete_message(message)


@rule("S-039", "S-086", "S-113", "S-121", "S-417", "S-418")
async def test_what_a_closed_receiver_prefetched_comes_back_when_its_locks_end(queue):
    """This client says nothing about its buffer when it is closed."""
    await queue.send(*(f"{number}" for number in range(20)))
    hoarder = queue.receiver(prefetch_count=20)
    async with hoarder:
        message = await take_one(hoarder)
        await hoarder.complete_message(message)

    async with queue.receiver() as receiver:
        rest = await take(receiver, 19)
        for message in rest:
            await receiver.complete_message(message)

    assert sorted((body(m) for m in rest), key=int) == [f"{number}" for number in range(1, 20)]
    assert {m.delivery_count for m in rest} == {1}


@rule("S-092", "S-114", "T-41")
async def test_a_message_that_nobody_waits_for_is_released(queue):
    """Credit of a receive that ended brings a message later; the client gives it back."""
    async with queue.receiver() as idle, queue.receiver() as busy:
        assert await nothing_for(idle)
        await queue.send("late")
        assert len(await idle.peek_messages(1)) == 1  # reads from the socket, receives nothing
        message = await take_one(busy, within=40)
        assert (body(message), message.delivery_count) == ("late", 0)
        await busy.complete_message(message)


@rule("S-096", "S-420")
async def test_receive_and_delete_with_prefetch_hands_out_each_once(queue):
    await queue.send(*(f"{number}" for number in range(30)))
    mode = ServiceBusReceiveMode.RECEIVE_AND_DELETE
    async with queue.receiver(receive_mode=mode, prefetch_count=10) as receiver:
        taken = await take(receiver, 30)

    assert [body(m) for m in taken] == [f"{number}" for number in range(30)]
    assert await queue.bodies() == []


@rule("S-003", "S-086")
async def test_a_receiver_is_iterated_until_nothing_comes(queue):
    await queue.send("one", "two", "three")
    seen = []

    async with queue.receiver(max_wait_time=2) as receiver:
        async for message in receiver:
            seen.append(body(message))
            await receiver.complete_message(message)

    assert seen == ["one", "two", "three"]
    assert await queue.bodies() == []


@rule("S-060", "S-062", "T-18")
async def test_the_name_of_a_queue_is_the_same_in_any_case(queue):
    loud = queue.named(queue.name.upper())
    await loud.send("loud")

    assert await queue.bodies() == ["loud"]
    async with loud.receiver() as receiver:
        await receiver.complete_message(await take_one(receiver))
    assert await queue.bodies() == []


@rule("S-102")
async def test_thousands_wait_unsettled_on_one_link(queue):
    many = 3000
    async with queue.sender() as sender:
        for start in range(0, many, 500):
            batch = [ServiceBusMessage(f"{start + number}") for number in range(500)]
            await sender.send_messages(batch)

    async with queue.receiver() as receiver:
        messages = await take(receiver, many, within=40)
        assert len({message.lock_token for message in messages}) == many
        for message in messages:
            await receiver.complete_message(message)
        assert await nothing_for(receiver, 1)

    assert await queue.bodies() == []
