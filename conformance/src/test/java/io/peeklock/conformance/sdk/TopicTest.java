package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.TestQueue.bodies;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Topics, subscriptions and rules, as the unmodified client for Java uses them. */
@LongProof
class TopicTest {
  private static final String CONFIG =
      """
      topics:
        events:
          subscriptions:
            all:
            audit:
            red:
              rules:
                red:
                  filter: colour = 'red'
                marked:
                  filter: price > 10
                  action: SET sys.Label = 'dear'; SET class = 'a' + class; REMOVE colour
            sessions:
              RequiresSession: true
        strict:
          FilteringMessagesBeforePublishing: true
          subscriptions:
            red:
              rules:
                red:
                  filter: colour = 'red'
      """;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Path folder = Folders.fresh("topics");
  private BrokerProcess broker;

  TopicTest() throws IOException {
    broker = start();
  }

  private BrokerProcess start() throws IOException {
    Files.createDirectories(folder);
    var config = folder.resolve("topics.yaml");
    Files.writeString(config, CONFIG);
    return BrokerProcess.start(folder.resolve("data"), List.of("--config", config.toString()));
  }

  @BeforeEach
  void isUp() {
    assertThat(broker.port()).isPositive();
  }

  @AfterEach
  void stop() throws Exception {
    closeClients();
    broker.close();
  }

  private void closeClients() throws Exception {
    for (var client : opened) {
      client.close();
    }
    opened.clear();
  }

  private <T extends AutoCloseable> T closing(T client) {
    opened.addFirst(client);
    return client;
  }

  private ServiceBusSenderClient sender(String topic) {
    return closing(
        Sdk.connection(broker.connectionString()).sender().topicName(topic).buildClient());
  }

  private ServiceBusReceiverClient receiver(String subscription) {
    return receiver("events", subscription, SubQueue.NONE);
  }

  private ServiceBusReceiverClient receiver(String topic, String subscription, SubQueue subQueue) {
    return closing(
        Sdk.connection(broker.connectionString())
            .receiver()
            .topicName(topic)
            .subscriptionName(subscription)
            .subQueue(subQueue)
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient());
  }

  private ServiceBusRuleManagerClient rules(String subscription) {
    return closing(
        Sdk.connection(broker.connectionString())
            .ruleManager()
            .topicName("events")
            .subscriptionName(subscription)
            .buildClient());
  }

  private List<ServiceBusReceivedMessage> peek(String subscription) {
    return receiver(subscription).peekMessages(100).stream().toList();
  }

  private static ServiceBusMessage message(String body, String name, Object value) {
    var message = new ServiceBusMessage(body);
    message.getApplicationProperties().put(name, value);
    return message;
  }

  @Test
  @Rule({"S-053", "S-052", "S-146", "S-182", "S-001"})
  void everySubscriptionGetsItsOwnCopy() {
    var sender = sender("events");
    sender.sendMessages(List.of(new ServiceBusMessage("one"), new ServiceBusMessage("two")));

    var all = receiver("all");
    var first = TestQueue.next(all);
    assertThat(first.getBody().toString()).isEqualTo("one");
    assertThat(first.getSequenceNumber()).isEqualTo(1);
    assertThat(first.getEnqueuedSequenceNumber()).isEqualTo(1);
    all.complete(first);
    all.deadLetter(TestQueue.next(all));

    assertThat(peek("all")).isEmpty();
    assertThat(bodies(peek("audit"))).containsExactly("one", "two");
    var dead = TestQueue.next(receiver("events", "all", SubQueue.DEAD_LETTER_QUEUE));
    assertThat(dead.getBody().toString()).isEqualTo("two");
    assertThatThrownBy(
            () ->
                TestQueue.next(
                    closing(
                        Sdk.connection(broker.connectionString())
                            .receiver()
                            .queueName("events")
                            .buildClient())))
        .isInstanceOf(Exception.class);
  }

  @Test
  @Rule({"S-314", "S-318", "S-319", "S-361", "S-364", "S-358"})
  void filtersSelectAndActionsChangeTheCopy() {
    var sender = sender("events");
    sender.sendMessage(message("blue", "colour", "blue"));
    sender.sendMessage(message("red", "colour", "red"));
    var dear = message("dear", "price", 11L);
    dear.getApplicationProperties().put("colour", "red");
    dear.getApplicationProperties().put("class", "b");
    sender.sendMessage(dear);

    var red = receiver("red");
    var messages = TestQueue.next(red, 3);

    assertThat(bodies(messages)).containsExactly("red", "dear", "dear");
    assertThat(messages.get(1).getApplicationProperties()).containsEntry("colour", "red");
    var changed = messages.get(2);
    assertThat(changed.getSubject()).isEqualTo("dear");
    assertThat(changed.getApplicationProperties())
        .containsEntry("class", "ab")
        .containsEntry("price", 11L)
        .containsEntry("RuleName", "marked")
        .doesNotContainKey("colour");
    red.abandon(changed, new AbandonOptions().setPropertiesToModify(Map.of("again", 1)));
    var again = TestQueue.next(red);
    assertThat(again.getSubject()).isEqualTo("dear");
    assertThat(again.getApplicationProperties())
        .containsEntry("class", "ab")
        .containsEntry("again", 1)
        .doesNotContainKey("colour");
    assertThat(again.getBody().toString()).isEqualTo("dear");
  }

  @Test
  @Rule({"S-313", "S-315", "S-316", "S-317", "S-324", "S-325", "T-49", "T-50"})
  void rulesAreManagedByTheClient() {
    var rules = rules("all");
    assertThat(rules.listRules())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.getName()).isEqualTo("$Default");
              assertThat(rule.getFilter()).isInstanceOf(TrueRuleFilter.class);
            });

    rules.createRule(
        "sql",
        new CreateRuleOptions(new SqlRuleFilter("colour = 'red' AND price > 3"))
            .setAction(new SqlRuleAction("SET seen = TRUE")));
    var correlation = new CorrelationRuleFilter().setLabel("urgent").setCorrelationId("c1");
    correlation.getProperties().put("level", 3);
    rules.createRule("equal", new CreateRuleOptions(correlation));

    assertThat(rules.listRules().stream().map(RuleProperties::getName))
        .containsExactly("$Default", "equal", "sql"); // by name
    var equal =
        rules.listRules().stream().filter(rule -> rule.getName().equals("equal")).findFirst();
    assertThat(equal.orElseThrow().getFilter()).hasToString(correlation.toString());
    assertThatThrownBy(() -> rules.createRule("SQL", new CreateRuleOptions(new TrueRuleFilter())))
        .isInstanceOfSatisfying(
            ServiceBusException.class,
            no ->
                assertThat(no.getReason())
                    .isEqualTo(ServiceBusFailureReason.MESSAGING_ENTITY_ALREADY_EXISTS));
    assertThatThrownBy(
            () -> rules.createRule("bad", new CreateRuleOptions(new SqlRuleFilter("colour = = 1"))))
        .hasMessageContaining("line 1, column");
    assertThatThrownBy(() -> rules.deleteRule("nobody"))
        .isInstanceOfSatisfying(
            ServiceBusException.class,
            no ->
                assertThat(no.getReason())
                    .isEqualTo(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND));
    rules.deleteRule("$Default");

    var sender = sender("events");
    sender.sendMessage(message("no", "colour", "red"));
    var sql = message("sql", "colour", "red");
    sql.getApplicationProperties().put("price", 4.5);
    sender.sendMessage(sql);
    sender.sendMessage(
        message("wrong level", "level", 4).setSubject("urgent").setCorrelationId("c1"));
    sender.sendMessage(message("equal", "level", 3L).setSubject("urgent").setCorrelationId("c1"));
    assertThat(bodies(peek("all"))).containsExactly("sql", "equal");
    assertThat(peek("all").getFirst().getApplicationProperties()).containsEntry("seen", true);
  }

  @Test
  @Rule({"S-055", "S-512", "S-054"})
  void whatNobodySelectsIsDroppedOrRefused() {
    sender("events").sendMessage(message("blue", "colour", "blue"));
    assertThat(peek("red")).isEmpty();

    var strict = sender("strict");
    strict.sendMessage(message("red", "colour", "red"));
    assertThatThrownBy(() -> strict.sendMessage(message("blue", "colour", "blue")))
        .hasMessageContaining("no matching subscription");
  }

  @Test
  @Rule({"S-156", "S-157", "S-153", "S-220"})
  void whatIsScheduledLiesInTheTopicUntilItIsDue() {
    var sender = sender("events");
    peek("red"); // the clients are connected from here on
    var due = OffsetDateTime.now(UTC).plusSeconds(3);
    var far = OffsetDateTime.now(UTC).plusHours(1);
    sender.scheduleMessage(message("soon", "colour", "red"), due);
    var never = sender.scheduleMessage(message("never", "colour", "red"), far);
    sender.cancelScheduledMessage(never);
    sender.scheduleMessage(message("far", "colour", "red"), far);

    var soon = TestQueue.next(receiver("red"));

    assertThat(soon.getBody().toString()).isEqualTo("soon");
    assertThat(soon.getEnqueuedTime()).isAfterOrEqualTo(due.minusNanos(1_000_000));
    var topic =
        closing(
            Sdk.connection(broker.connectionString()).receiver().queueName("events").buildClient());
    assertThat(topic.peekMessages(10).stream().toList())
        .singleElement()
        .satisfies(
            far1 -> {
              assertThat(far1.getBody().toString()).isEqualTo("far");
              assertThat(far1.getState()).isEqualTo(ServiceBusMessageState.SCHEDULED);
            });
  }

  @Test
  @Rule({"S-193", "S-231", "S-243"})
  void aSubscriptionMayHaveSessions() {
    var sender = sender("events");
    sender.sendMessage(new ServiceBusMessage("one").setSessionId("s1"));
    sender.sendMessage(new ServiceBusMessage("lost"));
    var sessions =
        closing(
            Sdk.connection(broker.connectionString())
                .sessionReceiver()
                .topicName("events")
                .subscriptionName("sessions")
                .maxAutoLockRenewDuration(Duration.ZERO)
                .disableAutoComplete()
                .buildClient());

    var s1 = closing(sessions.acceptNextSession());

    assertThat(s1.getSessionId()).isEqualTo("s1");
    assertThat(bodies(TestQueue.next(s1, 1))).containsExactly("one");
    var dead = TestQueue.next(receiver("events", "sessions", SubQueue.DEAD_LETTER_QUEUE));
    assertThat(dead.getBody().toString()).isEqualTo("lost");
    assertThat(dead.getDeadLetterReason()).isEqualTo("Session id is null.");
  }

  @Test
  @Rule({"S-001", "I-01", "I-02", "I-35"})
  void copiesAndRulesOutliveTheProcess() throws Exception {
    var sender = sender("events");
    rules("audit").deleteRule("$Default");
    rules("audit").createRule("blue", new CreateRuleOptions(new SqlRuleFilter("colour = 'blue'")));
    for (var i = 0; i < 50; i++) {
      sender.sendMessage(message("m" + i, "colour", i % 2 == 0 ? "red" : "blue"));
    }
    var large = message("L".repeat(3 << 20), "colour", "red");
    large.getApplicationProperties().put("price", 12L);
    sender.sendMessage(large);
    receiver("all").complete(TestQueue.next(receiver("all")));
    closeClients();

    broker.kill();
    broker = start();

    assertThat(bodies(TestQueue.next(receiver("red"), 25))).startsWith("m0", "m2").endsWith("m48");
    var red = receiver("red");
    var marked = TestQueue.next(red, 2).getLast();
    assertThat(marked.getSubject()).isEqualTo("dear");
    assertThat(marked.getBody().toString()).hasSize(3 << 20).matches("L+");
    assertThat(peek("audit")).hasSize(25);
    sender("events").sendMessage(message("late", "colour", "blue"));
    assertThat(bodies(peek("audit"))).contains("late");
  }
}
