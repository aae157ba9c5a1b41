"""Does what lines on stdin say, each a JSON object with "do", and answers each with one line: the
messages by the way they came, or what went wrong. See the package lossless of the Java sources."""

import json
import os
import sys
import traceback
from datetime import UTC, datetime, timedelta

from azure.servicebus import ServiceBusClient, ServiceBusSubQueue
from azure.servicebus.amqp import (
    AmqpAnnotatedMessage,
    AmqpMessageBodyType,
    AmqpMessageHeader,
    AmqpMessageProperties,
)
from values import body, plain, section, seen

WAIT_SECONDS = 60
AT_ONCE = 100
HEADER = {"durable": "durable", "priority": "priority", "ttl": "time_to_live"}
FIELDS = [
    "message-id",
    "user-id",
    "to",
    "subject",
    "reply-to",
    "correlation-id",
    "content-type",
    "content-encoding",
    "absolute-expiry-time",
    "creation-time",
    "group-id",
    "group-sequence",
    "reply-to-group-id",
]
SECTIONS = {
    "delivery": "delivery_annotations",
    "annotations": "annotations",
    "application": "application_properties",
    "footer": "footer",
}
BODIES = {
    AmqpMessageBodyType.DATA: "data",
    AmqpMessageBodyType.SEQUENCE: "sequence",
    AmqpMessageBodyType.VALUE: "value",
}


def python_name(field):
    return field.replace("-", "_")


def message(description):
    parts, header, properties = {}, {}, {}
    for name, value in description.items():
        group, _, field = name.partition(".")
        if group == "header":
            header[HEADER[field]] = plain(value)
        elif group == "properties":
            properties[python_name(field)] = plain(value)
        elif name in SECTIONS:
            parts[SECTIONS[name]] = section(value)
        elif name == "value":
            parts["value_body"] = body(value)
        else:
            parts[name + "_body"] = [plain(each) for each in value[1]]
    if header:
        parts["header"] = AmqpMessageHeader(**header)
    if properties:
        parts["properties"] = AmqpMessageProperties(**properties)
    return AmqpAnnotatedMessage(**parts)


def shown_body(raw):
    if raw.body_type == AmqpMessageBodyType.VALUE:
        return seen(raw.body)
    return ["list", [seen(each) for each in raw.body]]


def description(received):
    raw = received.raw_amqp_message
    shown = {BODIES[raw.body_type]: shown_body(raw)}
    for field, name in HEADER.items():
        value = getattr(raw.header, name) if raw.header else None
        if value is not None:
            shown["header." + field] = seen(value)
    for field in FIELDS:
        value = getattr(raw.properties, python_name(field)) if raw.properties else None
        if value is not None:
            shown["properties." + field] = seen(value)
    for name, attribute in SECTIONS.items():
        value = getattr(raw, attribute)
        if value is not None:
            shown[name] = seen(value)
    return shown


class Member:
    """The client, and what it has open."""

    def __init__(self):
        self.client = None
        self.receivers = {}
        self.deferred = {}

    def receiver(self, entity, sub_queue=None):
        key = (entity, sub_queue)
        if key not in self.receivers:
            topic, _, subscription = entity.partition("/Subscriptions/")
            self.receivers[key] = (
                self.client.get_subscription_receiver(topic, subscription, sub_queue=sub_queue)
                if subscription
                else self.client.get_queue_receiver(entity, sub_queue=sub_queue)
            )
        return self.receivers[key]

    def receive(self, receiver, count):
        messages = []
        while len(messages) < count:
            most = min(AT_ONCE, count - len(messages))
            some = receiver.receive_messages(most, max_wait_time=WAIT_SECONDS)
            if not some:
                raise RuntimeError(f"only {len(messages)} of {count} came")
            messages += some
        return messages

    def taken(self, receiver, count):
        messages = self.receive(receiver, count)
        for each in messages:
            receiver.complete_message(each)
        return [description(each) for each in messages]

    def connect(self):
        if self.client:
            self.client.close()
        self.client = ServiceBusClient.from_connection_string(os.environ["PEEKLOCK_CONNECTION"])
        self.receivers = {}
        return {}

    def send(self, to, singly, messages):
        with self.client.get_queue_sender(to) as sender:
            made = [message(each) for each in messages]
            for some in made if singly else [made]:
                sender.send_messages(some)
        return {}

    def schedule(self, to, after, messages):
        due = datetime.now(UTC) + timedelta(milliseconds=after)
        with self.client.get_queue_sender(to) as sender:
            sender.schedule_messages([message(each) for each in messages], due)
        return {}

    def peek(self, **what):
        messages, count = [], what["count"]
        while len(messages) < count:
            number = messages[-1].sequence_number + 1 if messages else 1
            some = self.receiver(what["from"]).peek_messages(
                count - len(messages), sequence_number=number
            )
            if not some:
                break
            messages += some
        return {"peeked": [description(each) for each in messages]}

    def take(self, **what):
        return {"received": self.taken(self.receiver(what["from"]), what["count"])}

    def defer(self, **what):
        receiver = self.receiver(what["from"])
        messages = self.receive(receiver, what["count"])
        for each in messages:
            receiver.defer_message(each)
        self.deferred[what["from"]] = [each.sequence_number for each in messages]
        return {"received": [description(each) for each in messages]}

    def bury(self, **what):
        receiver, numbers, messages = self.receiver(what["from"]), self.deferred[what["from"]], []
        for start in range(0, len(numbers), AT_ONCE):
            messages += receiver.receive_deferred_messages(numbers[start : start + AT_ONCE])
        for each in messages:
            receiver.dead_letter_message(each)
        dead = self.receiver(what["from"], ServiceBusSubQueue.DEAD_LETTER)
        return {
            "by number": [description(each) for each in messages],
            "dead": self.taken(dead, len(messages)),
        }


def main():
    member = Member()
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = getattr(member, command.pop("do"))(**command)
        except Exception:
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


main()
