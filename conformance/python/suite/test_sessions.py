"""Sessions: by name and the next one, their order and their state."""

import pytest
from azure.servicebus import NEXT_AVAILABLE_SESSION, ServiceBusMessage
from azure.servicebus.exceptions import SessionCannotBeLockedError

from .clients import FEW_RETRIES, body, take, take_one

rule = pytest.mark.rule


async def send(queue, *messages):
    async with queue.sender() as sender:
        for text, session in messages:
            await sender.send_messages(ServiceBusMessage(text, session_id=session))


@rule("S-231", "S-236", "S-246", "S-253", "S-254", "S-255")
async def test_a_session_keeps_its_order_and_its_state(queue):
    await send(queue, ("a1", "a"), ("b1", "b"), ("a2", "a"))

    async with queue.receiver(session_id="a") as receiver:
        session = queue.clients.awaited(receiver.session)
        messages = await take(receiver, 2)
        assert [body(message) for message in messages] == ["a1", "a2"]
        assert [message.session_id for message in messages] == ["a", "a"]
        assert await session.get_state() is None
        await session.set_state("half way")
        before = receiver.session.locked_until_utc
        await session.renew_lock()
        assert receiver.session.locked_until_utc >= before
        for message in messages:
            await receiver.complete_message(message)
    async with queue.receiver(session_id="a") as receiver:
        assert await queue.clients.awaited(receiver.session).get_state() == b"half way"
        assert [body(message) for message in await receiver.peek_messages(5)] == []


@rule("S-237", "S-238", "S-242", "S-248")
async def test_the_next_session_is_one_that_nobody_holds(queue):
    await send(queue, ("first", "one"), ("second", "two"))

    async with queue.receiver(session_id=NEXT_AVAILABLE_SESSION) as one:
        async with queue.receiver(session_id=NEXT_AVAILABLE_SESSION) as two:
            assert [one.session.session_id, two.session.session_id] == ["one", "two"]
            other = queue.named(queue.name, **FEW_RETRIES)
            with pytest.raises(SessionCannotBeLockedError):
                async with other.receiver(session_id="one") as third:
                    await take_one(third)
            assert body(await take_one(two)) == "second"
        assert body(await take_one(one)) == "first"
