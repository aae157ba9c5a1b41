"""The same broker to a plain AMQP 1.0 client, Qpid Proton: no token, its own outcomes."""

import contextlib
import datetime
import time
import uuid

import pytest

from .conftest import story_name
from .connection import address, parts

proton = pytest.importorskip("proton", reason="Qpid Proton could not be installed here")

from proton import Delivery, Message, symbol, timestamp, ulong  # noqa: E402
from proton.reactor import AtMostOnce, LinkOption  # noqa: E402
from proton.utils import (  # noqa: E402
    BlockingConnection,
    LinkDetached,
    SendException,
)

rule = pytest.mark.rule
PATIENCE_SECONDS = 60
KIB = 1024


class FirstMode(LinkOption):
    """Unsettled deliveries, the receiver settles first: what plain clients ask for."""

    def apply(self, link):
        link.snd_settle_mode = proton.Link.SND_UNSETTLED
        link.rcv_settle_mode = proton.Link.RCV_FIRST


@contextlib.contextmanager
def connected(user=None, password=None):
    host, port = address()
    connection = BlockingConnection(
        f"amqp://{host}:{port}",
        timeout=PATIENCE_SECONDS,
        allowed_mechs="PLAIN",
        user=user or parts()["SharedAccessKeyName"],
        password=password or parts()["SharedAccessKey"],
    )
    try:
        yield connection
    finally:
        connection.close()


@pytest.fixture
def connection():
    with connected() as made:
        yield made


@pytest.fixture
def queue(request):
    return f"{story_name(request.node)}-plain"


def send(connection, queue, *bodies):
    sender = connection.create_sender(queue)
    for body in bodies:
        message = body if isinstance(body, Message) else Message(body=body)
        assert sender.send(message, timeout=PATIENCE_SECONDS).remote_state == Delivery.ACCEPTED
    sender.close()


def receiver_of(connection, queue, credit=0, options=None):
    """Without credit of its own each receive asks for exactly one message."""
    name = str(uuid.uuid4())
    return connection.create_receiver(queue, credit, name=name, options=options or FirstMode())


def fetch(receiver):
    """The next message with its delivery, not yet settled."""
    message = receiver.receive(timeout=PATIENCE_SECONDS)
    return message, receiver.fetcher.unsettled[-1]


def settle(receiver, delivery, outcome):
    """Sends the outcome unsettled and waits for the broker's."""
    delivery.update(outcome)
    receiver.connection.wait(lambda: delivery.settled, msg="the broker's answer")
    state = delivery.remote_state
    receiver.fetcher.unsettled.remove(delivery)
    delivery.settle()
    return state


@rule("S-464", "S-001", "S-004", "S-030", "T-03")
def test_send_and_accept(connection, queue):
    send(connection, queue, "one")
    receiver = receiver_of(connection, queue)
    message, delivery = fetch(receiver)
    assert message.body == "one"
    assert settle(receiver, delivery, Delivery.ACCEPTED) == Delivery.ACCEPTED
    assert is_empty(receiver)


def is_empty(receiver, seconds=0.5):
    try:
        receiver.receive(timeout=seconds)
        return False
    except proton.Timeout:
        return True


@rule("S-464", "S-468", "S-472")
def test_wrong_password_is_refused():
    for user, password in (("RootManageSharedAccessKey", "wrong"), ("nobody", "SAS_KEY_VALUE")):
        began = time.monotonic()
        with pytest.raises(proton.ConnectionException):
            with connected(user, password):
                pass
        assert time.monotonic() - began < 10


@rule("S-062", "S-509", "S-515", "T-24")
def test_missing_queue_is_refused(connection):
    for attach in (connection.create_sender, connection.create_receiver):
        with pytest.raises(LinkDetached) as raised:
            attach("no-such-queue")
        assert raised.value.condition == "amqp:not-found"
        assert "could not be found" in str(raised.value) and "TrackingId:" in str(raised.value)


@rule("S-032", "S-089", "S-092", "S-094", "S-118", "S-120", "S-137", "T-41")
def test_release_counts_nothing_and_modify_counts_one(connection, queue):
    send(connection, queue, "one", "two")
    receiver = receiver_of(connection, queue)
    for outcome, count in (
        (Delivery.RELEASED, 0),
        (Delivery.RELEASED, 0),
        (Delivery.MODIFIED, 0),  # without the flag that delivery failed, which makes no difference
        (Delivery.MODIFIED, 1),
        (Delivery.ACCEPTED, 2),
    ):
        message, delivery = fetch(receiver)
        assert (message.body, message.delivery_count) == ("one", count)
        delivery.local.failed = outcome == Delivery.MODIFIED and count == 1
        assert settle(receiver, delivery, outcome) == outcome
    message, delivery = fetch(receiver)
    assert message.body == "two"
    settle(receiver, delivery, Delivery.ACCEPTED)


@rule("S-082", "S-089", "S-123", "S-206", "T-73")
def test_modify_with_undeliverable_here_defers(connection, queue):
    send(connection, queue, "one", "two")
    receiver = receiver_of(connection, queue)
    message, delivery = fetch(receiver)
    number = message.annotations[symbol("x-opt-sequence-number")]
    delivery.local.undeliverable = True
    delivery.local.annotations = {symbol("seen"): "once"}
    assert settle(receiver, delivery, Delivery.MODIFIED) == Delivery.MODIFIED
    message, delivery = fetch(receiver)
    assert message.body == "two"
    settle(receiver, delivery, Delivery.ACCEPTED)
    assert is_empty(receiver)

    deferred = peeked(connection, queue)
    assert [m.annotations[symbol("x-opt-sequence-number")] for m in deferred] == [number]
    assert deferred[0].annotations[symbol("x-opt-message-state")] == 1
    assert deferred[0].delivery_count == 1
    assert deferred[0].properties["seen"] == "once"


def peeked(connection, queue):
    """What a management request shows; also that plain clients can make one."""
    node = f"{queue}/$management"
    replies = connection.create_receiver(node, credit=1, dynamic=False, options=ReplyTo("answers"))
    requests = connection.create_sender(node)
    request = Message(
        id=uuid.uuid4(),
        reply_to="answers",
        properties={"operation": "com.microsoft:peek-message"},
        body={"from-sequence-number": 1, "message-count": proton.int32(100)},
    )
    requests.send(request)
    reply = replies.receive(timeout=PATIENCE_SECONDS)
    assert reply.correlation_id == request.id
    requests.close()
    replies.close()
    if reply.properties["statusCode"] == 204:
        return []
    assert reply.properties["statusCode"] == 200
    found = []
    for entry in reply.body["messages"]:
        message = Message()
        message.decode(bytes(entry["message"]))
        found.append(message)
    return found


class ReplyTo(LinkOption):
    def __init__(self, target):
        self.target = target

    def apply(self, link):
        link.target.address = self.target


@rule("S-034", "S-090", "S-093", "T-40")
def test_reject_goes_to_the_dead_letter_queue(connection, queue):
    send(connection, queue, "with reason", "bare", "foreign")
    receiver = receiver_of(connection, queue)
    for condition in ("com.microsoft:dead-letter", None, "app:unreadable"):
        _, delivery = fetch(receiver)
        if condition:
            info = {symbol("DeadLetterReason"): "why", symbol("other"): 5}
            delivery.local.condition = proton.Condition(condition, "text", info)
        assert settle(receiver, delivery, Delivery.REJECTED) == Delivery.REJECTED
        assert delivery.remote.condition is None, "a dead-letter that worked is answered bare"

    dead = receiver_of(connection, f"{queue}/$DeadLetterQueue", credit=3)
    messages = [dead.receive(timeout=PATIENCE_SECONDS) for _ in range(3)]
    assert [m.body for m in messages] == ["with reason", "bare", "foreign"]
    assert messages[0].properties == {"DeadLetterReason": "why", "other": 5}
    assert "DeadLetterReason" not in (messages[1].properties or {})


@rule("S-018", "S-019")
def test_presettled_send_is_kept_or_dropped_without_a_word(connection, queue):
    sender = connection.create_sender(queue, options=AtMostOnce())
    sender.link.send(Message(body="kept"))
    sender.link.send(Message(body=b"x" * 65 * KIB))  # more than the queue takes
    sender.link.send(Message(body="kept too"))
    receiver = receiver_of(connection, queue, credit=5)
    assert [receiver.receive(timeout=PATIENCE_SECONDS).body for _ in range(2)] == [
        "kept",
        "kept too",
    ]
    assert is_empty(receiver)


@rule("S-021", "S-096", "T-25", "T-35")
def test_receive_and_delete_is_settled_on_arrival(connection, queue):
    send(connection, queue, "one", "two")
    receiver = receiver_of(connection, queue, credit=2, options=AtMostOnce())
    assert receiver.link.remote_snd_settle_mode == proton.Link.SND_SETTLED
    messages = [receiver.receive(timeout=PATIENCE_SECONDS) for _ in range(2)]
    assert [m.body for m in messages] == ["one", "two"]
    assert [m.delivery_count for m in messages] == [0, 0]
    assert peeked(connection, queue) == []


@rule("S-086", "T-28")
def test_drain_gives_what_is_there_and_takes_the_credit_back(connection, queue):
    send(connection, queue, "one", "two")
    receiver = receiver_of(connection, queue, credit=0)
    receiver.link.drain(10)
    connection.wait(
        lambda: receiver.link.credit == 0 and not receiver.link.draining(), timeout=PATIENCE_SECONDS
    )
    assert len(receiver.fetcher.incoming) == 2
    assert receiver.link.credit == 0

    receiver.link.drain(5)  # nothing is there now
    connection.wait(
        lambda: receiver.link.credit == 0 and not receiver.link.draining(), timeout=PATIENCE_SECONDS
    )
    send(connection, queue, "late")
    assert len(receiver.fetcher.incoming) == 2, "nothing comes without credit"
    receiver.link.drain_mode = False
    receiver.link.flow(1)
    for expected in ("one", "two", "late"):
        assert receiver.receive(timeout=PATIENCE_SECONDS).body == expected
        receiver.accept()


@rule("S-511", "T-67", "T-74")
def test_message_one_byte_above_the_limit_is_refused(connection, queue):
    sender = connection.create_sender(queue)
    limit = sender.link.remote_max_message_size
    assert limit == 64 * KIB
    overhead = len(Message(body=b"x" * 60 * KIB).encode()) - 60 * KIB
    sender.send(Message(body=b"x" * (limit - overhead)))
    with pytest.raises(SendException) as raised:
        sender.send(Message(body=b"x" * (limit - overhead + 1)))
    assert raised.value.state == Delivery.REJECTED
    sender.send(Message(body="the link lives on"))


@rule("S-072", "S-076", "S-077", "T-35", "T-36", "T-73")
def test_types_come_back_as_they_were_sent(connection, queue):
    moment = timestamp(1_893_456_000_000)
    values = {
        "int": proton.int32(5),
        "uint": proton.uint(7),
        "long": 2**40,
        "ulong": ulong(2**63),
        "short": proton.short(-3),
        "ubyte": proton.ubyte(255),
        "byte": proton.byte(-128),
        "ushort": proton.ushort(65535),
        "float": proton.float32(0.5),
        "double": 0.25,
        "char": proton.char("x"),
        "text": "gr\u00fcn",
        "bytes": b"\x00\xff",
        "moment": moment,
        "id": uuid.UUID(int=5),
        "yes": True,
        "nothing": None,
        "decimal": proton.decimal64(17),
    }
    sent = Message(
        id=ulong(7), correlation_id=uuid.UUID(int=9), body=[1, ["two", None]], properties=values
    )
    sent.user_id, sent.reply_to, sent.subject, sent.content_type = (
        b"me",
        "answers",
        "s",
        symbol("a/b"),
    )
    sent.annotations = {symbol("x-opt-own"): "kept"}
    send(connection, queue, sent)

    receiver = receiver_of(connection, queue)
    message = receiver.receive(timeout=PATIENCE_SECONDS)

    assert message.properties == values
    kinds = {name: type(value) for name, value in values.items()}
    kinds["bytes"] = memoryview  # which is how this client hands out binary
    assert {name: type(value) for name, value in message.properties.items()} == kinds
    assert message.id == 7
    assert message.correlation_id == uuid.UUID(int=9)
    assert message.body == [1, ["two", None]]
    assert (message.user_id, message.reply_to, message.subject) == (b"me", "answers", "s")
    notes = message.annotations
    assert notes[symbol("x-opt-own")] == "kept"
    assert type(notes[symbol("x-opt-sequence-number")]) is int
    for name in ("x-opt-enqueued-time", "x-opt-locked-until"):
        assert type(notes[symbol(name)]) is timestamp, name
    lock = notes[symbol("x-opt-locked-until")] / 1000
    assert 0 < lock - datetime.datetime.now().timestamp() < 61
    receiver.accept()


@rule("S-086", "T-32")
def test_two_links_of_one_session_take_large_messages_at_once(connection, queue):
    bodies = [bytes([number]) * 900_000 for number in range(6)]
    send(connection, queue, *bodies)
    first = receiver_of(connection, queue)
    second = receiver_of(connection, queue)
    for receiver in (first, second):
        receiver.link.flow(3)

    arrived = [receiver.fetcher.incoming for receiver in (first, second)]
    connection.wait(lambda: sum(map(len, arrived)) == 6, timeout=PATIENCE_SECONDS)

    assert [len(messages) for messages in arrived] == [3, 3]
    seen = [bytes(message.body) for messages in arrived for message, _ in messages]
    assert sorted(seen) == bodies


@rule("T-65")
def test_links_come_and_go_on_one_connection(connection, queue):
    for number in range(20):
        send(connection, queue, f"{number}")
        receiver = receiver_of(connection, queue)
        assert receiver.receive(timeout=PATIENCE_SECONDS).body == f"{number}"
        receiver.accept()
        receiver.close()
    assert peeked(connection, queue) == []
