"""Locks: renewed, lapsed, lost."""

import asyncio
import datetime

import pytest
from azure.servicebus.exceptions import MessageLockLostError, MessageNotFoundError

from .clients import FEW_RETRIES, body, nothing_for, take, take_one, until

rule = pytest.mark.rule
LOCK_LOST = "com.microsoft:message-lock-lost"
AT_ONCE = {"retry_total": 0}  # the SDK asks again for a message that is not found


def now():
    return datetime.datetime.now(datetime.UTC)


async def lapse(*messages):
    """Waits until the locks are over by the time that the broker named."""
    last = max(message.locked_until_utc for message in messages)
    await asyncio.sleep(max(0, (last - now()).total_seconds()) + 0.2)


def with_a_slow_clock(message):
    """As if the client's clock were behind: by a good clock the SDK does not even ask."""
    message._expiry = now() + datetime.timedelta(minutes=5)
    return message


@rule("S-025", "S-026", "S-049", "S-105", "S-108", "S-115", "T-34", "T-47")
async def test_a_renewed_lock_outlives_its_first_end(queue):
    await queue.send("slow work")
    async with queue.receiver() as receiver, queue.receiver() as rival:
        message = await take_one(receiver)
        first_end = message.locked_until_utc
        assert 5 < (first_end - now()).total_seconds() < 15.5
        while now() < first_end + datetime.timedelta(seconds=1):
            await asyncio.sleep(1)
            assert await receiver.renew_message_lock(message) == message.locked_until_utc
        assert message.locked_until_utc > first_end + datetime.timedelta(seconds=3)
        assert await nothing_for(rival)
        await receiver.complete_message(message)

    assert await queue.bodies() == []


@rule("S-048", "S-049", "S-108")
async def test_automatic_renewal_keeps_a_lock(queue, clients):
    await queue.send("slower work")
    renewer, unwrapped = clients.renewer(max_lock_renewal_duration=60)
    async with renewer, queue.receiver(auto_lock_renewer=unwrapped(renewer)) as receiver:
        message = await take_one(receiver)
        first_end = message.locked_until_utc

        async def renewed_twice():
            return now() > first_end + datetime.timedelta(seconds=2)

        assert await until(renewed_twice)
        async with queue.receiver() as rival:
            assert await nothing_for(rival)
        assert message.auto_renew_error is None
        await receiver.complete_message(message)

    assert await queue.bodies() == []


@rule("S-028", "S-033", "S-041", "S-121", "S-137", "T-33", "T-35")
async def test_a_lapsed_lock_puts_a_message_to_the_front_and_counts(queue):
    await queue.send("first", "second")
    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        await lapse(message)
        again, second = await take(receiver, 2)
        assert (body(again), again.delivery_count) == ("first", 1)
        assert (body(second), second.delivery_count) == ("second", 0)
        assert again.message_id == message.message_id
        assert again.lock_token != message.lock_token
        await receiver.complete_message(again)
        await receiver.complete_message(second)


@rule("S-037", "S-038", "S-044", "S-045", "S-106", "S-502", "T-06")
async def test_a_lost_lock_is_told_on_every_settlement_and_on_renewal(queue, refused):
    await queue.send("lost")
    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        await lapse(message)
        for settle in (
            receiver.complete_message,
            receiver.abandon_message,
            receiver.defer_message,
            receiver.dead_letter_message,
        ):
            with pytest.raises(MessageLockLostError):  # by its own clock
                await settle(message)

        with pytest.raises(MessageLockLostError) as raised:
            await receiver.renew_message_lock(with_a_slow_clock(message))
        refused("renew-lock-lost", raised.value, MessageLockLostError, False, LOCK_LOST)

    assert await queue.bodies() == ["lost"]


@rule("S-037", "S-098", "S-106", "S-110", "S-212", "S-214", "S-502", "T-06", "T-46")
async def test_the_broker_itself_refuses_to_settle_a_deferred_message_without_its_lock(
    queue, refused
):
    """Deferred messages are settled by token through the management node, which answers."""
    await queue.send("set aside")
    async with queue.seen_with(**AT_ONCE).receiver() as receiver:
        message = await take_one(receiver)
        await receiver.defer_message(message)
        (deferred,) = await receiver.receive_deferred_messages([message.sequence_number])
        with pytest.raises(MessageNotFoundError):  # it is locked
            await receiver.receive_deferred_messages([message.sequence_number])
        await lapse(deferred)
        with_a_slow_clock(deferred)
        operations = {
            "complete-lock-lost": receiver.complete_message,
            "abandon-lock-lost": receiver.abandon_message,
            "defer-lock-lost": receiver.defer_message,
            "dead-letter-lock-lost": receiver.dead_letter_message,
        }
        for name, operation in operations.items():
            with pytest.raises(MessageLockLostError) as raised:
                await operation(deferred)
            refused(name, raised.value, MessageLockLostError, False, LOCK_LOST)

        (again,) = await receiver.receive_deferred_messages([message.sequence_number])
        assert again.delivery_count == 2, "one for the defer, one for the lapsed lock"
        await receiver.complete_message(again)


@rule("S-098", "S-137", "T-42")
async def test_a_settled_disposition_after_the_lock_is_ignored_and_the_link_lives_on(queue):
    await queue.send("a", "b", "c", "d")
    async with queue.receiver() as receiver:
        late = await take(receiver, 4)
        await lapse(*late)
        for message in late:
            with_a_slow_clock(message)
        await receiver.complete_message(late[0])
        await receiver.abandon_message(late[1])
        await receiver.defer_message(late[2])
        await receiver.dead_letter_message(late[3], reason="too late")

        messages = await take(receiver, 4)
        assert [body(m) for m in messages] == ["a", "b", "c", "d"]
        assert [m.delivery_count for m in messages] == [1, 1, 1, 1]
        for message in messages:
            await receiver.complete_message(message)

    assert await queue.bodies() == []
    async with queue.dead_letters() as receiver:
        assert await receiver.peek_messages(1) == []


@rule("S-039", "S-043", "S-050", "S-113")
async def test_closing_the_link_does_not_end_the_lock(queue):
    await queue.send("held")
    async with queue.receiver() as receiver:
        message = await take_one(receiver)

    async with queue.receiver() as receiver:
        assert await nothing_for(receiver, 1)
        again = await take_one(receiver)
        assert now() >= message.locked_until_utc
        assert again.delivery_count == 1
        await receiver.complete_message(again)


@rule("S-095", "S-109")
async def test_settlement_after_the_link_is_gone(queue):
    await queue.send("held")
    receiver = queue.receiver()
    async with receiver:
        message = await take_one(receiver)
    with pytest.raises(ValueError):  # a closed receiver settles no more, and asks nobody
        await receiver.complete_message(message)

    async with queue.seen_with(**FEW_RETRIES).receiver() as other:
        await other.renew_message_lock(message)
        await lapse(message)
        again = await take_one(other)
        assert again.delivery_count == 1
        await other.complete_message(again)
