"""The frames that this client reads by position, and the habits that others do not have."""

import logging
import re

import pytest
from azure.servicebus import ServiceBusMessage

from .clients import body, take, take_one

rule = pytest.mark.rule


@pytest.fixture
def frames(caplog):
    """The client's own trace of frames: ``-> `` went out, ``<- `` came in."""
    caplog.set_level(logging.DEBUG)

    def seen(pattern):
        texts = [record.getMessage() for record in caplog.records]
        return [text for text in texts if re.match(pattern, text)]

    return seen


@rule("T-04", "T-36")
async def test_no_field_is_left_off_the_end_of_a_frame(queue, frames):
    """The client takes fields by position; its trace of a shorter frame would be an error."""
    traced = queue.seen_with(logging_enable=True)
    async with traced.sender() as sender:
        await sender.send_messages(ServiceBusMessage("x"))
    async with traced.receiver() as receiver:
        await receiver.complete_message(await take_one(receiver))

    for frame in ("Open", "Begin", "Attach", "Flow", "Transfer", "Disposition"):
        assert frames(f"<- {frame}Frame"), frame
    assert all("properties=None" not in text for text in frames("<- (Open|Begin|Attach)Frame"))
    assert await queue.bodies() == []


@rule("T-42")
async def test_settlements_go_out_settled(queue, frames):
    traced = queue.seen_with(logging_enable=True)
    await queue.send("a", "b")
    async with traced.receiver() as receiver:
        for message in await take(receiver, 2):
            await receiver.complete_message(message)

    sent = frames("-> DispositionFrame")
    assert len(sent) == 2 and all("settled=True" in text for text in sent)
    assert await queue.bodies() == []


@rule("T-27")
async def test_the_same_flow_again_changes_nothing(queue, frames):
    """Each call asks again for what it still waits for, in the same words."""
    traced = queue.seen_with(logging_enable=True)
    async with traced.receiver() as receiver:
        for _ in range(3):
            assert await receiver.receive_messages(3, max_wait_time=1) == []
        flows = frames("-> FlowFrame.*link_credit=3")
        assert len(flows) >= 3

        await queue.send(*"abcde")
        first = await take(receiver, 3)
        second = await take(receiver, 2)
        # Not in order: the client gives back what comes between two of its calls.
        assert sorted(body(m) for m in first + second) == list("abcde")
        assert [m.delivery_count for m in first + second] == [0] * 5
        for message in first + second:
            await receiver.complete_message(message)


@rule("T-31", "S-072")
async def test_a_message_of_many_frames_keeps_its_tag(queue, frames):
    traced = queue.seen_with(logging_enable=True)
    await queue.send(b"x" * 300_000)
    async with traced.receiver() as receiver:
        message = await take_one(receiver)
        transfers = frames("<- TransferFrame.*more=")
        assert message.lock_token is not None
        await receiver.complete_message(message)

    parts = [text for text in transfers if f"handle={entity_handle(transfers)}," in text]
    assert len(parts) >= 5
    assert "delivery_id=None" not in parts[0]
    assert all("delivery_id=None, delivery_tag=None" in text for text in parts[1:])
    assert await queue.bodies() == []


def entity_handle(transfers):
    """The handle with the most frames: the token's reply takes only one."""
    handles = [re.search(r"handle=(\d+)", text).group(1) for text in transfers]
    return max(set(handles), key=handles.count)
