"""Topics and subscriptions; the SDK manages rules over HTTP only, so there are none here."""

import pytest
from azure.servicebus import ServiceBusMessage

from .clients import body, take, take_one

rule = pytest.mark.rule


@rule("S-001", "S-053", "S-060", "S-146")
async def test_every_subscription_gets_its_own_copy(topic):
    async with topic.sender() as sender:
        await sender.send_messages([ServiceBusMessage("one"), ServiceBusMessage("two")])

    async with topic.receiver("first") as receiver:
        one, two = await take(receiver, 2)
        await receiver.complete_message(one)
        await receiver.dead_letter_message(two, reason="why not")
        left = await receiver.peek_messages(10)
    async with topic.receiver("second") as receiver:
        others = await receiver.peek_messages(10)
    async with topic.dead_letters("first") as receiver:
        dead = await take_one(receiver)

    assert [body(one), body(two)] == ["one", "two"]
    assert [one.sequence_number, one.enqueued_sequence_number] == [1, 1]
    assert left == []
    assert [body(message) for message in others] == ["one", "two"]
    assert [body(dead), dead.dead_letter_reason] == ["two", "why not"]
