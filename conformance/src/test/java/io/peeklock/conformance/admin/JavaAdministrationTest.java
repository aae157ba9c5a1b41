package io.peeklock.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import io.peeklock.conformance.Authority;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** The administration client for Java, which knows no port but 443. */
@Isolated // trust is one thing for a whole JVM
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // the client reads what it trusts once for a JVM
class JavaAdministrationTest {
  private static final int HTTPS = 443;
  private static final String TRUST = "javax.net.ssl.trustStore";
  private static final List<String> NAMES =
      IntStream.range(0, 105)
          .mapToObj(i -> String.format(Locale.ROOT, "java-many-%03d", i))
          .toList();

  private BrokerProcess broker;
  private ServiceBusAdministrationClient admin;

  @BeforeAll
  void start() throws Exception {
    if (!mayBind()) {
      throw NotRun.because("port 443 is taken, or may not be bound");
    }
    broker = BrokerProcess.start(Folders.fresh("administration"), List.of("--port", "0," + HTTPS));
    trust(Authority.of(broker));
    admin =
        new ServiceBusAdministrationClientBuilder()
            .connectionString(
                "Endpoint=sb://localhost;SharedAccessKeyName="
                    + BrokerProcess.KEY_NAME
                    + ";SharedAccessKey="
                    + BrokerProcess.KEY)
            .buildClient();
  }

  @AfterAll
  void away() {
    System.clearProperty(TRUST);
    System.clearProperty(TRUST + "Password");
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  @Rule({"S-063", "S-067", "S-071", "S-489", "S-490", "I-37"})
  void aQueueIsMadeUsedUpdatedKeptOverARestartAndDeleted() {
    var name = "java/queue~1";
    var made = admin.createQueue(name);
    assertThat(made.getName()).isEqualTo(name);
    assertThat(made.getLockDuration()).isEqualTo(Duration.ofMinutes(1));
    assertThatThrownBy(() -> admin.createQueue(name)).isInstanceOf(ResourceExistsException.class);
    var client = Sdk.connection(broker.connectionString());
    try (var sender = client.sender().queueName(name).buildClient()) {
      sender.sendMessage(new ServiceBusMessage(BinaryData.fromString("now")));
      sender.scheduleMessage(
          new ServiceBusMessage(BinaryData.fromString("later")),
          OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
    }

    var runtime = admin.getQueueRuntimeProperties(name);
    var updated =
        admin.updateQueue(made.setMaxDeliveryCount(7).setLockDuration(Duration.ofSeconds(45)));

    assertThat(runtime.getActiveMessageCount()).isEqualTo(1);
    assertThat(runtime.getScheduledMessageCount()).isEqualTo(1);
    assertThat(runtime.getTotalMessageCount()).isEqualTo(2);
    assertThat(updated.getMaxDeliveryCount()).isEqualTo(7);
    broker.kill();
    broker.restart();
    assertThat(admin.getQueue(name).getLockDuration()).isEqualTo(Duration.ofSeconds(45));
    assertThat(admin.getQueueRuntimeProperties(name).getTotalMessageCount()).isEqualTo(2);
    admin.deleteQueue(name);
    assertThat(admin.getQueueExists(name)).isFalse();
    assertThatThrownBy(() -> admin.getQueue(name)).isInstanceOf(ResourceNotFoundException.class);
    assertThatThrownBy(() -> admin.deleteQueue(name)).isInstanceOf(ResourceNotFoundException.class);
  }

  @Test
  void moreThanAPageOfQueuesIsListedByName() {
    NAMES.forEach(admin::createQueue);

    assertThat(
            admin.listQueues().stream()
                .map(QueueProperties::getName)
                .filter(name -> name.startsWith("java-many")))
        .containsExactlyElementsOf(NAMES);
  }

  @Test
  @Rule({"S-313", "S-317", "S-325", "S-476", "S-287"})
  void aTopicItsSubscriptionAndItsRulesHaveTheirWholeLives() {
    admin.createTopic("t");
    admin.updateTopic(admin.getTopic("t").setUserMetadata("mine"));
    assertThat(admin.getTopic("t").getUserMetadata()).isEqualTo("mine");
    admin.createSubscription("t", "s");
    assertThat(admin.getTopicRuntimeProperties("t").getSubscriptionCount()).isEqualTo(1);
    admin.createRule(
        "t",
        "typed",
        "s",
        new CreateRuleOptions(new CorrelationRuleFilter().setLabel("red"))
            .setAction(new SqlRuleAction("SET seen = 1")));
    var rule = admin.getRule("t", "s", "typed");
    assertThat(((CorrelationRuleFilter) rule.getFilter()).getLabel()).isEqualTo("red");
    var changed = admin.updateRule("t", "s", rule.setFilter(new SqlRuleFilter("price > 5")));
    assertThat(((SqlRuleFilter) changed.getFilter()).getSqlExpression()).isEqualTo("price > 5");
    assertThatThrownBy(
            () ->
                admin.createRule(
                    "t", "wrong", "s", new CreateRuleOptions(new SqlRuleFilter("price >"))))
        .isInstanceOf(HttpResponseException.class)
        .hasMessageContaining("line 1");
    assertThat(admin.listRules("t", "s").stream().map(RuleProperties::getName))
        .containsExactly("$Default", "typed");
    admin.deleteRule("t", "s", "typed");
    assertThatThrownBy(() -> admin.getRule("t", "s", "typed"))
        .isInstanceOf(ResourceNotFoundException.class);

    var read = admin.getSubscription("t", "s");
    assertThat(admin.updateSubscription(read.setMaxDeliveryCount(3)).getMaxDeliveryCount())
        .isEqualTo(3);
    admin.createQueue("from", new CreateQueueOptions().setForwardTo("t"));
    assertThat(admin.getQueue("from").getForwardTo()).endsWith("/t");
    assertThat(admin.getSubscriptionExists("t", "s")).isTrue();
    admin.deleteSubscription("t", "s");
    assertThat(admin.getSubscriptionExists("t", "s")).isFalse();
    admin.deleteTopic("t");
    assertThat(admin.getTopicExists("t")).isFalse();
    assertThat(admin.getNamespaceProperties().getName()).isEqualTo("localhost");
  }

  private static boolean mayBind() {
    try (var free = new ServerSocket(HTTPS, 1, InetAddress.getLoopbackAddress())) {
      return free.isBound();
    } catch (IOException takenOrForbidden) {
      return false;
    }
  }

  /** The client's HTTP asks these properties, as an application's would be started with. */
  private void trust(Path ca) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var in = Files.newInputStream(ca)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var file = broker.data().resolve("trust.p12");
    try (var out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    System.setProperty(TRUST, file.toString());
    System.setProperty(TRUST + "Password", "changeit");
  }
}
