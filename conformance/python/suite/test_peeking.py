"""Peek: everything is seen, nothing changes."""

import pytest
from azure.servicebus import ServiceBusMessageState

from .clients import body, take, take_one

rule = pytest.mark.rule


@rule("S-215", "S-218", "S-219", "S-221", "S-222", "S-223", "S-226", "T-36")
async def test_peek_shows_active_locked_and_deferred(queue):
    await queue.send("deferred", "locked", "active")
    async with queue.receiver() as holder:
        deferred, locked = await take(holder, 2)
        await holder.defer_message(deferred)

        async with queue.receiver() as receiver:
            seen = await receiver.peek_messages(10)
            assert [body(m) for m in seen] == ["deferred", "locked", "active"]
            states = [m.state for m in seen]
            assert states[0] == ServiceBusMessageState.DEFERRED
            assert states[1:] == [ServiceBusMessageState.ACTIVE] * 2
            assert await receiver.peek_messages(2) == [], "the next peek goes on after the last"
            first = await receiver.peek_messages(2, sequence_number=1)
            assert [body(m) for m in first] == ["deferred", "locked"]
            later = await receiver.peek_messages(10, sequence_number=locked.sequence_number)
            assert [body(m) for m in later] == ["locked", "active"]
            beyond = await receiver.peek_messages(10, sequence_number=locked.sequence_number + 2)
            assert beyond == []
        await holder.complete_message(locked)


@rule("S-224", "T-48")
async def test_peek_an_empty_queue(queue):
    async with queue.receiver() as receiver:
        assert await receiver.peek_messages(5) == []
        assert await receiver.peek_messages(5, sequence_number=1000) == []


@rule("S-118", "S-122", "S-125", "S-225", "T-35")
async def test_peek_counts_and_locks_nothing(queue):
    await queue.send("only")
    async with queue.receiver() as receiver:
        for _ in range(3):
            (seen,) = await receiver.peek_messages(1, sequence_number=1)
            assert seen.delivery_count == 0
            assert seen.lock_token is None
            with pytest.raises(ValueError):
                await receiver.complete_message(seen)
        message = await take_one(receiver)
        assert message.delivery_count == 0
        await receiver.complete_message(message)
