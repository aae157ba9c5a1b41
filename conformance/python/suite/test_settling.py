"""Complete, abandon, defer, dead-letter, and the maximum of deliveries."""

import pytest

from .clients import body, nothing_for, take, take_one

rule = pytest.mark.rule
REASON, DESCRIPTION = b"DeadLetterReason", b"DeadLetterErrorDescription"


@rule("S-028", "S-032", "S-089", "S-094", "S-120", "S-137", "T-33", "T-41", "T-42")
async def test_an_abandoned_message_is_at_the_front_again_and_counts_once(queue):
    await queue.send("first", "second")
    tokens = []
    async with queue.receiver() as receiver:
        for count in range(3):
            message = await take_one(receiver)
            assert (body(message), message.delivery_count) == ("first", count)
            tokens.append(message.lock_token)
            await receiver.abandon_message(message)
        for text in ("first", "second"):
            message = await take_one(receiver)
            assert body(message) == text
            await receiver.complete_message(message)

    assert len(set(tokens)) == 3, "each delivery has a token of its own"


@rule("S-082")
async def test_abandon_with_changed_properties(clients):
    pytest.skip("this client's settlements take no properties to change")


@rule("S-036", "S-089", "S-123", "S-206", "S-207", "S-210", "S-213", "T-37", "T-46")
async def test_deferred_messages_come_by_number_only_and_in_the_order_asked(queue):
    await queue.send("one", "two", "three")
    async with queue.receiver() as receiver:
        messages = await take(receiver, 3)
        for message in messages:
            await receiver.defer_message(message)
        assert await nothing_for(receiver)

        numbers = [message.sequence_number for message in reversed(messages)]
        deferred = await receiver.receive_deferred_messages(numbers)
        assert [body(m) for m in deferred] == ["three", "two", "one"]
        assert [m.delivery_count for m in deferred] == [1, 1, 1]
        assert all(m.lock_token and m.locked_until_utc for m in deferred)

        three, two, one = deferred
        await receiver.complete_message(three)
        await receiver.abandon_message(two)
        await receiver.dead_letter_message(one, reason="why", error_description="because")
        again = (await receiver.receive_deferred_messages(two.sequence_number))[0]
        assert (body(again), again.delivery_count) == ("two", 2)
        await receiver.defer_message(again)
        assert await nothing_for(receiver)
        last = (await receiver.receive_deferred_messages([two.sequence_number]))[0]
        assert last.delivery_count == 3
        await receiver.complete_message(last)

    assert await queue.bodies() == []
    async with queue.dead_letters() as receiver:
        message = await take_one(receiver)
        assert message.dead_letter_reason == "why"
        assert message.dead_letter_error_description == "because"
        await receiver.complete_message(message)


@rule("S-209")
async def test_no_numbers_bring_no_deferred_messages(queue):
    async with queue.receiver() as receiver:
        assert await receiver.receive_deferred_messages([]) == []


@rule("S-034", "S-090", "S-117", "S-134", "S-145", "S-184", "S-188", "T-06", "T-35")
async def test_a_dead_letter_tells_reason_and_description(queue):
    await queue.send("bad")
    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        await receiver.dead_letter_message(
            message, reason="Unreadable", error_description="no order number in it"
        )
        assert await nothing_for(receiver)

    async with queue.dead_letters() as receiver:
        dead = await take_one(receiver)
        assert dead.application_properties[REASON] == b"Unreadable"
        assert dead.application_properties[DESCRIPTION] == b"no order number in it"
        assert dead.dead_letter_reason == "Unreadable"
        assert dead.dead_letter_error_description == "no order number in it"
        assert dead.sequence_number == message.sequence_number
        assert dead.enqueued_time_utc == message.enqueued_time_utc
        assert dead.delivery_count == 0
        await receiver.complete_message(dead)


@rule("S-093", "S-189", "T-40")
async def test_a_dead_letter_without_reason_has_none(queue):
    await queue.send("bad")
    async with queue.receiver() as receiver:
        await receiver.dead_letter_message(await take_one(receiver))

    async with queue.dead_letters() as receiver:
        dead = await take_one(receiver)
        properties = dead.application_properties or {}
        # The SDK says null for both, which is a value; a reason must not come out of it.
        assert properties.get(REASON) is None and properties.get(DESCRIPTION) is None
        await receiver.complete_message(dead)


@rule("S-185", "S-186", "S-132")
async def test_a_dead_letter_is_abandoned_and_deferred_but_never_dead_lettered_again(queue):
    await queue.send("bad")
    async with queue.receiver() as receiver:
        await receiver.dead_letter_message(await take_one(receiver), reason="first")

    async with queue.dead_letters() as receiver:
        for _ in range(4):  # more than the maximum of the queue, which does not hold here
            dead = await take_one(receiver)
            assert dead.delivery_count == 0, "nothing counts here"
            await receiver.abandon_message(dead)
        dead = await take_one(receiver)
        await receiver.defer_message(dead)
        (dead,) = await receiver.receive_deferred_messages([dead.sequence_number])
        assert dead.dead_letter_reason == "first"
        await receiver.complete_message(dead)
        assert await receiver.peek_messages(1, sequence_number=1) == []


@rule("S-029", "S-126", "S-127", "S-134", "S-192")
async def test_the_last_failed_delivery_moves_a_message_to_the_dead_letter_queue(queue):
    await queue.send("poison", "healthy")
    async with queue.receiver() as receiver:
        for _ in range(3):
            message = await take_one(receiver)
            assert body(message) == "poison"
            await receiver.abandon_message(message)
        assert body(await take_one(receiver)) == "healthy"

    async with queue.dead_letters() as receiver:
        dead = await take_one(receiver)
        assert (body(dead), dead.delivery_count) == ("poison", 3)
        assert dead.dead_letter_reason == "MaxDeliveryCountExceeded"
        assert "maximum" in dead.dead_letter_error_description
        await receiver.complete_message(dead)


@rule("S-030", "S-041", "S-117")
async def test_a_message_is_settled_once(queue):
    await queue.send("once")
    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        await receiver.complete_message(message)
        with pytest.raises(ValueError):
            await receiver.abandon_message(message)
        assert await nothing_for(receiver)

    assert await queue.bodies() == []


@rule("S-109", "S-110", "T-34")
async def test_another_receiver_renews_and_settles_by_token(queue):
    await queue.send("handed over", "deferred")
    async with queue.receiver() as first, queue.receiver() as second:
        message, other = await take(first, 2)
        before = message.locked_until_utc
        assert await second.renew_message_lock(message) >= before
        await first.complete_message(message)

        await first.defer_message(other)
        (deferred,) = await first.receive_deferred_messages([other.sequence_number])
        await second.complete_message(deferred)

    assert await queue.bodies() == []
