"""The administration client, which always uses TLS."""

import datetime

import pytest
from azure.core.exceptions import (
    ClientAuthenticationError,
    HttpResponseError,
    ResourceExistsError,
    ResourceNotFoundError,
)
from azure.servicebus import ServiceBusMessage
from azure.servicebus.aio import ServiceBusClient
from azure.servicebus.aio.management import ServiceBusAdministrationClient as AioAdministration
from azure.servicebus.management import (
    AuthorizationRule,
    CorrelationRuleFilter,
    ServiceBusAdministrationClient,
    SqlRuleAction,
    SqlRuleFilter,
    TrueRuleFilter,
)

from .connection import CONNECTION, with_parts

rule = pytest.mark.rule
ENCRYPTED = with_parts(UseDevelopmentEmulator=None)


@pytest.fixture
def admin():
    with ServiceBusAdministrationClient.from_connection_string(ENCRYPTED) as client:
        yield client


@rule("S-063", "S-067", "S-071", "S-489")
async def test_the_life_of_a_queue(admin):
    name = "py-admin/queue"
    made = admin.create_queue(name)
    assert made.name == name
    assert made.lock_duration == datetime.timedelta(minutes=1)
    assert made.max_delivery_count == 10
    with pytest.raises(ResourceExistsError):
        admin.create_queue(name)

    async with (
        ServiceBusClient.from_connection_string(CONNECTION) as client,
        client.get_queue_sender(name) as sender,
    ):
        await sender.send_messages([ServiceBusMessage("a"), ServiceBusMessage("b")])
        later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        await sender.schedule_messages(ServiceBusMessage("later"), later)
    runtime = admin.get_queue_runtime_properties(name)
    assert runtime.active_message_count == 2
    assert runtime.scheduled_message_count == 1
    assert runtime.dead_letter_message_count == 0
    assert runtime.total_message_count == 3
    assert runtime.size_in_bytes > 0

    made.lock_duration = datetime.timedelta(seconds=45)
    made.user_metadata = "<mine> & yours"
    admin.update_queue(made)
    read = admin.get_queue(name)
    assert read.lock_duration == datetime.timedelta(seconds=45)
    assert read.user_metadata == "<mine> & yours"
    read.requires_session = True
    with pytest.raises(HttpResponseError, match="RequiresSession"):
        admin.update_queue(read)

    admin.delete_queue(name)
    with pytest.raises(ResourceNotFoundError):
        admin.get_queue(name)
    with pytest.raises(ResourceNotFoundError):
        admin.delete_queue(name)


async def test_more_than_a_page_of_queues():
    names = [f"py-many-{number:03}" for number in range(105)]
    async with AioAdministration.from_connection_string(ENCRYPTED) as admin:
        for name in names:
            await admin.create_queue(name)
        listed = [queue.name async for queue in admin.list_queues()]
        assert [name for name in listed if name.startswith("py-many-")] == names
        assert len(set(listed)) == len(listed)
        counted = [queue.name async for queue in admin.list_queues_runtime_properties()]
        assert len(counted) >= len(names)
        for name in names:
            await admin.delete_queue(name)


@rule("S-313", "S-314", "S-317", "S-325", "S-476")
def test_topic_subscription_and_rules(admin):
    topic = "py-admin-topic"
    admin.create_topic(topic, user_metadata="t")
    assert admin.get_topic(topic).user_metadata == "t"
    admin.create_subscription(topic, "one", max_delivery_count=3)
    assert admin.get_topic_runtime_properties(topic).subscription_count == 1
    assert [each.name for each in admin.list_rules(topic, "one")] == ["$Default"]
    assert isinstance(admin.get_rule(topic, "one", "$Default").filter, TrueRuleFilter)

    properties = {
        "text": "x",
        "int": 5,
        "long": 3_000_000_000,
        "double": 1.5,
        "bool": True,
        "when": datetime.datetime(2026, 1, 1),
        "span": datetime.timedelta(days=1, hours=2),
    }
    filter_ = CorrelationRuleFilter(label="red", properties=properties)
    admin.create_rule(topic, "one", "typed", filter=filter_)
    typed = admin.get_rule(topic, "one", "typed").filter
    assert typed.label == "red"
    assert {key: typed.properties[key] for key in ("text", "int", "long", "double", "bool")} == {
        key: properties[key] for key in ("text", "int", "long", "double", "bool")
    }
    assert typed.properties["span"] == properties["span"]
    with pytest.raises(ResourceExistsError):
        admin.create_rule(topic, "one", "typed", filter=filter_)

    sql = admin.create_rule(
        topic,
        "one",
        "sql",
        filter=SqlRuleFilter("price > @least", {"@least": 3}),
        action=SqlRuleAction("SET seen = 1"),
    )
    assert sql.filter.parameters == {"@least": 3}
    sql.filter = SqlRuleFilter("price > 5")
    admin.update_rule(topic, "one", sql)
    assert admin.get_rule(topic, "one", "sql").filter.sql_expression == "price > 5"
    with pytest.raises(HttpResponseError, match="line 1"):
        admin.create_rule(topic, "one", "wrong", filter=SqlRuleFilter("price >"))
    admin.delete_rule(topic, "one", "typed")
    assert sorted(each.name for each in admin.list_rules(topic, "one")) == ["$Default", "sql"]
    with pytest.raises(ResourceNotFoundError):
        admin.get_rule(topic, "one", "typed")

    read = admin.get_subscription(topic, "one")
    read.max_delivery_count = 7
    admin.update_subscription(topic, read)
    assert admin.get_subscription(topic, "one").max_delivery_count == 7
    assert [each.name for each in admin.list_subscriptions(topic)] == ["one"]
    admin.delete_subscription(topic, "one")
    with pytest.raises(ResourceNotFoundError):
        admin.get_subscription(topic, "one")
    admin.delete_topic(topic)
    assert topic not in [each.name for each in admin.list_topics()]


@rule("S-287", "S-470")
def test_forwards_and_keys(admin):
    keys = {"primary_key": "bXkta2V5LW9uZQ==", "secondary_key": "bXkta2V5LXR3bw=="}
    owner = AuthorizationRule(
        type="SharedAccessAuthorizationRule",
        claim_type="SharedAccessKey",
        claim_value="None",
        rights=["Manage", "Send", "Listen"],
        key_name="owner",
        **keys,
    )
    admin.create_queue("py-forward-target")
    made = admin.create_queue(
        "py-forward",
        forward_to="py-forward-target",
        forward_dead_lettered_messages_to="py-forward-target",
        authorization_rules=[owner],
    )
    assert made.forward_to.endswith("py-forward-target")
    assert made.authorization_rules[0].primary_key == keys["primary_key"]
    admin.delete_queue("py-forward")
    admin.delete_queue("py-forward-target")


def test_a_wrong_key():
    wrong = with_parts(UseDevelopmentEmulator=None, SharedAccessKey="wrong")
    with (
        ServiceBusAdministrationClient.from_connection_string(wrong) as admin,
        pytest.raises(ClientAuthenticationError),
    ):
        admin.get_queue("any")


def test_the_namespace(admin):
    assert admin.get_namespace_properties().messaging_sku == "Premium"
