"""The SDK's two clients behind one manner, so that every story is told once and awaited by both."""

import asyncio
import time

from azure.servicebus import (
    AutoLockRenewer,
    ServiceBusClient,
    ServiceBusMessage,
    ServiceBusReceiveMode,
    ServiceBusSubQueue,
)
from azure.servicebus.aio import AutoLockRenewer as AioAutoLockRenewer
from azure.servicebus.aio import ServiceBusClient as AioServiceBusClient

from .connection import CONNECTION

PATIENCE_SECONDS = 60
A_MOMENT_SECONDS = 0.5
_END = object()

# Failing twice is enough to know; the SDK's own pauses between attempts would take minutes.
FEW_RETRIES = {"retry_total": 1, "retry_backoff_factor": 0.1, "retry_backoff_max": 1}


class Threaded:
    """Something of the synchronous client; its calls run in a thread and can be awaited."""

    def __init__(self, inner):
        self._inner = inner

    async def __aenter__(self):
        await asyncio.to_thread(self._inner.__enter__)
        return self

    async def __aexit__(self, *trouble):
        await asyncio.to_thread(self._inner.__exit__, *trouble)

    async def __aiter__(self):
        messages = iter(self._inner)
        while (message := await asyncio.to_thread(next, messages, _END)) is not _END:
            yield message

    def __getattr__(self, name):
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        async def call(*arguments, **options):
            return await asyncio.to_thread(found, *arguments, **options)

        return call


class SyncClients:
    """Makes senders and receivers of the synchronous client."""

    name = "sync"

    def connect(self, text, **options):
        return ServiceBusClient.from_connection_string(text, **options)

    def awaited(self, made):
        return Threaded(made)

    def renewer(self, **options):
        return Threaded(AutoLockRenewer(**options)), lambda wrapped: wrapped._inner


class AioClients:
    """Makes senders and receivers of the asynchronous client."""

    name = "aio"

    def connect(self, text, **options):
        return AioServiceBusClient.from_connection_string(text, **options)

    def awaited(self, made):
        return made

    def renewer(self, **options):
        return AioAutoLockRenewer(**options), lambda wrapped: wrapped


class Queue:
    """One queue as one of the clients sees it. Senders and receivers are for ``async with``."""

    def __init__(self, clients, name, text=CONNECTION, **options):
        self.clients = clients
        self.name = name
        self._client = clients.connect(text, **options)

    def sender(self, **options):
        return self.clients.awaited(self._client.get_queue_sender(self.name, **options))

    def receiver(self, **options):
        return self.clients.awaited(self._client.get_queue_receiver(self.name, **options))

    def dead_letters(self, **options):
        return self.receiver(sub_queue=ServiceBusSubQueue.DEAD_LETTER, **options)

    def seen_with(self, text=CONNECTION, **options):
        """The same queue through another connection string."""
        return Queue(self.clients, self.name, text, **options)

    def named(self, name, **options):
        """Another queue, through the same client."""
        return Queue(self.clients, name, CONNECTION, **options)

    async def send(self, *messages):
        """Sends bodies or messages one by one."""
        async with self.sender() as sender:
            for message in messages:
                await sender.send_messages(as_message(message))

    async def peek(self, count=100, **options):
        async with self.receiver() as receiver:
            return await receiver.peek_messages(count, **options)

    async def bodies(self):
        """Everything that can be seen in it."""
        return [body(message) for message in await self.peek()]

    async def drained(self):
        """Takes away all that can be received."""
        async with self.receiver(receive_mode=ServiceBusReceiveMode.RECEIVE_AND_DELETE) as receiver:
            taken = []
            while batch := await receiver.receive_messages(100, max_wait_time=2):
                taken.extend(batch)
            return taken


class Topic:
    """One topic as one of the clients sees it."""

    def __init__(self, clients, name):
        self.clients = clients
        self.name = name
        self._client = clients.connect(CONNECTION)

    def sender(self):
        return self.clients.awaited(self._client.get_topic_sender(self.name))

    def receiver(self, subscription, **options):
        made = self._client.get_subscription_receiver(self.name, subscription, **options)
        return self.clients.awaited(made)

    def dead_letters(self, subscription):
        return self.receiver(subscription, sub_queue=ServiceBusSubQueue.DEAD_LETTER)


def as_message(message):
    return message if isinstance(message, (ServiceBusMessage,)) else ServiceBusMessage(message)


def body(message):
    """The text of a message made of data."""
    return b"".join(message.body).decode()


async def take(receiver, count=1, within=PATIENCE_SECONDS):
    """Exactly so many messages, however many calls that takes."""
    taken = []
    deadline = time.monotonic() + within
    while len(taken) < count and time.monotonic() < deadline:
        left = max(0.1, deadline - time.monotonic())
        taken.extend(await receiver.receive_messages(count - len(taken), max_wait_time=left))
    assert len(taken) == count, f"{len(taken)} of {count} messages came within {within} s"
    return taken


async def take_one(receiver, within=PATIENCE_SECONDS):
    return (await take(receiver, 1, within))[0]


async def nothing_for(receiver, seconds=A_MOMENT_SECONDS):
    """Whether nothing comes for a while."""
    return await receiver.receive_messages(1, max_wait_time=seconds) == []


async def until(condition, within=PATIENCE_SECONDS):
    """Looks again and again until what is awaited is there, and returns it."""
    deadline = time.monotonic() + within
    while True:
        found = await condition()
        if found or time.monotonic() > deadline:
            return found
        await asyncio.sleep(0.1)
