"""Bodies and properties: what went in comes out, with its type."""

import datetime
import uuid

import pytest
from azure.servicebus import ServiceBusMessage
from azure.servicebus.amqp import (
    AmqpAnnotatedMessage,
    AmqpMessageBodyType,
    AmqpMessageHeader,
    AmqpMessageProperties,
)

from .clients import take, take_one

rule = pytest.mark.rule
MIB = 1024 * 1024


@rule("S-072", "T-04", "T-31")
async def test_bodies_of_one_byte_to_twenty_megabytes(queue):
    bodies = [b"x", bytes(range(256)) * 4096, b"0123456789abcdef" * (20 * MIB // 16)]
    async with queue.sender() as sender:
        for body in bodies:
            await sender.send_messages(ServiceBusMessage(body))

    async with queue.receiver() as receiver:
        for body in bodies:
            message = await take_one(receiver)
            assert message.lock_token is not None
            received = b"".join(message.body)
            assert len(received) == len(body)
            assert received == body
            await receiver.complete_message(message)

    assert await queue.peek() == []


@rule("S-072", "S-076", "T-07", "T-52")
async def test_every_kind_of_body_keeps_its_kind_and_types(queue):
    moment = datetime.datetime(2030, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    identity = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    value = {b"text": b"grun", b"deep": [1, -2, 2**31 - 1, 2.5, True, None], b"id": identity}
    sent = [
        AmqpAnnotatedMessage(data_body=[b"one", b"", b"two"]),
        AmqpAnnotatedMessage(sequence_body=[[1, b"two", 3.0], [None, True]]),
        AmqpAnnotatedMessage(value_body=value),
        AmqpAnnotatedMessage(value_body=b"bytes"),
        AmqpAnnotatedMessage(value_body="gr\u00fcn"),
        AmqpAnnotatedMessage(value_body=None),
        AmqpAnnotatedMessage(value_body=-(2**31)),
        AmqpAnnotatedMessage(value_body=moment),
    ]
    async with queue.sender() as sender:
        for message in sent:
            await sender.send_messages(message)

    async with queue.receiver() as receiver:
        raw = [m.raw_amqp_message for m in await take(receiver, len(sent))]

    kinds = [AmqpMessageBodyType.DATA, AmqpMessageBodyType.SEQUENCE] + [
        AmqpMessageBodyType.VALUE
    ] * 6
    assert [message.body_type for message in raw] == kinds
    bodies = [message.body for message in raw]
    assert list(bodies[0]) == [b"one", b"", b"two"]
    assert [list(part) for part in bodies[1]] == [[1, b"two", 3.0], [None, True]]
    assert bodies[2] == value
    millis = int(moment.timestamp() * 1000)
    # The client hands out text as its bytes and a timestamp as its milliseconds.
    assert bodies[3:] == [b"bytes", "gr\u00fcn".encode(), None, -(2**31), millis]


@rule("S-073", "S-076", "S-079", "S-144")
async def test_every_property_of_a_message_comes_back(queue):
    sent = ServiceBusMessage(
        "x",
        message_id="id-1",
        correlation_id="conversation",
        subject="greeting",
        to="somebody",
        reply_to="answers",
        content_type="text/plain",
        session_id="no session here",
        reply_to_session_id="nor there",
        time_to_live=datetime.timedelta(minutes=5),
    )
    began = datetime.datetime.now(datetime.UTC)
    await queue.send(sent)

    async with queue.receiver() as receiver:
        message = await take_one(receiver)

    for name in (
        "message_id",
        "correlation_id",
        "subject",
        "to",
        "reply_to",
        "content_type",
        "session_id",
        "reply_to_session_id",
        "time_to_live",
    ):
        assert getattr(message, name) == getattr(sent, name), name
    assert message.sequence_number == 1
    assert message.enqueued_sequence_number == 0
    assert abs(message.enqueued_time_utc - began) < datetime.timedelta(seconds=20)
    assert message.expires_at_utc == message.enqueued_time_utc + sent.time_to_live


@rule("S-076")
async def test_a_partition_key_comes_back(queue):
    await queue.send(ServiceBusMessage("x", partition_key="north"))

    (message,) = await queue.peek()
    assert message.partition_key == "north"


# With this client bytes go out as text, text comes back as bytes, and integers have 32 bits.
APPLICATION_PROPERTIES = {
    "text": "gr\u00fcn",
    "empty": "",
    "bytes": b"text in the end",
    "yes": True,
    "no": False,
    "zero": 0,
    "int": -5,
    "large": 2**31 - 1,
    "float": 2.5,
    "id": uuid.UUID("00112233-4455-6677-8899-aabbccddeeff"),
    "moment": datetime.datetime(2030, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
    "nothing": None,
}


@rule("S-072", "S-076", "T-73")
async def test_application_properties_keep_their_types_through_a_dead_letter(queue):
    await queue.send(ServiceBusMessage("x", application_properties=APPLICATION_PROPERTIES))
    expected = {
        name.encode(): value.encode() if isinstance(value, str) else value
        for name, value in APPLICATION_PROPERTIES.items()
    }
    expected[b"moment"] = int(APPLICATION_PROPERTIES["moment"].timestamp() * 1000)

    async with queue.receiver() as receiver:
        message = await take_one(receiver)
        assert same(message.application_properties, expected)
        await receiver.dead_letter_message(message, reason="r", error_description="d")

    async with queue.dead_letters() as receiver:
        dead = await take_one(receiver)
        merged = {**expected, b"DeadLetterReason": b"r", b"DeadLetterErrorDescription": b"d"}
        assert same(dead.application_properties, merged)
        await receiver.complete_message(dead)


def same(seen, expected):
    """Equal in value and type: True is not 1."""
    types = {name: type(value) for name, value in expected.items()}
    assert seen == expected
    assert {name: type(value) for name, value in seen.items()} == types
    return True


@rule("S-076", "S-077", "S-078", "T-36", "T-52")
async def test_header_properties_annotations_and_footer_of_a_plain_amqp_message(queue):
    sent = AmqpAnnotatedMessage(
        data_body=[b"x"],
        header=AmqpMessageHeader(durable=True, priority=7, first_acquirer=True, delivery_count=42),
        properties=AmqpMessageProperties(
            message_id=uuid.UUID(int=7),
            user_id=b"me",
            to="there",
            subject="s",
            reply_to="here",
            correlation_id=b"\x01\x02",
            content_type="text/plain",
            content_encoding="gzip",
            group_id="g",
            group_sequence=9,
            reply_to_group_id="rg",
        ),
        annotations={"x-opt-own": "kept", "x-opt-sequence-number": 4711, "other": 5},
        delivery_annotations={"hop": "kept"},
        footer={"foot": "note"},
        application_properties={"a": 1},
    )
    async with queue.sender() as sender:
        await sender.send_messages(sent)

    async with queue.receiver() as receiver:
        received = await take_one(receiver)
    raw = received.raw_amqp_message

    assert raw.header.priority == 7 and raw.header.durable is True
    assert raw.header.delivery_count == 0, "the broker's own, not what came in"
    for name in ("message_id", "user_id", "correlation_id", "group_sequence"):
        assert getattr(raw.properties, name) == getattr(sent.properties, name), name
    for name in ("to", "subject", "reply_to", "content_type", "content_encoding"):
        assert getattr(raw.properties, name).decode() == getattr(sent.properties, name), name
    assert (raw.properties.group_id, raw.properties.reply_to_group_id) == (b"g", b"rg")
    assert raw.annotations[b"x-opt-own"] == b"kept" and raw.annotations[b"other"] == 5
    assert received.sequence_number == 1
    assert raw.footer == {b"foot": b"note"}
    assert raw.delivery_annotations[b"hop"] == b"kept"


@rule("S-041", "T-68")
async def test_a_message_without_an_id_gets_one_that_stays(queue):
    await queue.send("nameless")
    async with queue.receiver() as receiver:
        first = await take_one(receiver)
        await receiver.abandon_message(first)
        second = await take_one(receiver)
        assert first.message_id and second.message_id == first.message_id
        await receiver.complete_message(second)
