package io.peeklock.conformance.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.conformance.SharedBroker;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithBroker.class)
class JmsTest {
  private static final long PATIENCE_MILLIS = 45_000;
  private static final String ACK_TYPE = "JMS_AMQP_ACK_TYPE";
  private static final int REJECTED = 2;
  private static final int RELEASED = 3;
  private static final int MODIFIED_FAILED = 4;
  private static final int MODIFIED_UNDELIVERABLE = 5;

  private final Deque<Connection> opened = new ArrayDeque<>();

  @AfterEach
  void close() throws JMSException {
    for (var connection : opened) {
      connection.close();
    }
  }

  @Test
  @Rule({"S-464", "S-072", "S-096"})
  void aTextIsSentAndReceived(SharedBroker broker, Sdk sdk) throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    var session = connect(broker, "").createSession(Session.AUTO_ACKNOWLEDGE);

    var sent = session.createTextMessage("order-1");
    sent.setStringProperty("color", "red");
    sent.setIntProperty("size", 7);
    session.createProducer(session.createQueue(orders.name())).send(sent);
    var message = (TextMessage) receive(consumer(session, orders));

    assertThat(message.getText()).isEqualTo("order-1");
    assertThat(message.getStringProperty("color")).isEqualTo("red");
    assertThat(message.getIntProperty("size")).isEqualTo(7);
    assertThat(message.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
    Patience.until("it is completed", () -> orders.everything().isEmpty());
  }

  @Test
  @Rule({"S-464", "S-478"})
  void aWrongPasswordIsRefusedOnConnecting(SharedBroker broker) {
    assertThatThrownBy(() -> connect(broker, "", BrokerProcess.KEY_NAME, "wrong"))
        .isInstanceOf(JMSSecurityException.class);
    assertThatThrownBy(() -> connect(broker, "", "nobody", BrokerProcess.KEY))
        .isInstanceOf(JMSSecurityException.class);
  }

  @Test
  @Rule({"S-030", "S-089"})
  void acknowledgingCompletesAllThatTheSessionHasReceived(SharedBroker broker, Sdk sdk)
      throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c");
    var session =
        connect(broker, "?jms.prefetchPolicy.all=0").createSession(Session.CLIENT_ACKNOWLEDGE);
    var consumer = consumer(session, orders);

    receive(consumer);
    receive(consumer).acknowledge();

    Patience.until(
        "two are completed", () -> TestQueue.bodies(orders.everything()).equals(List.of("c")));
  }

  @Test
  @Rule({"S-033", "S-113", "S-121"})
  void anUnacknowledgedMessageComesBackWhenItsLockLapsed(SharedBroker broker, Sdk sdk)
      throws JMSException {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var first = connect(broker, "?jms.prefetchPolicy.all=0");
    receive(consumer(first.createSession(Session.CLIENT_ACKNOWLEDGE), orders));

    first.close();

    assertThat(orders.receive().getDeliveryCount()).isEqualTo(1);
  }

  @ParameterizedTest(name = "type {0}")
  @ValueSource(ints = {REJECTED, RELEASED, MODIFIED_FAILED, MODIFIED_UNDELIVERABLE})
  @Rule({"S-089", "S-092", "S-093", "S-094", "T-40", "T-41", "T-42"})
  void theOutcomesOfAmqpMeanWhatTheSdksMeanByThem(int type, SharedBroker broker, Sdk sdk)
      throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");
    var session =
        connect(broker, "?jms.prefetchPolicy.all=0").createSession(Session.CLIENT_ACKNOWLEDGE);
    var consumer = consumer(session, orders);

    var message = receive(consumer);
    message.setIntProperty(ACK_TYPE, type);
    message.acknowledge();
    consumer.close();

    switch (type) {
      case REJECTED ->
          assertThat(orders.receiveDeadLetter().getBody().toString()).isEqualTo("order-1");
      case RELEASED -> assertThat(orders.receive().getDeliveryCount()).isZero();
      case MODIFIED_FAILED -> assertThat(orders.receive().getDeliveryCount()).isEqualTo(1);
      default ->
          assertThat(orders.receiver().receiveDeferredMessage(1).getDeliveryCount()).isEqualTo(1);
    }
  }

  @Test
  @Rule({"S-167", "S-080", "T-53"})
  void aMessageWithTimeToLiveExpires(SharedBroker broker, Sdk sdk) throws JMSException {
    var orders = sdk.queue(QueueKind.DEAD_LETTERS_EXPIRED);
    var session = connect(broker, "").createSession(Session.AUTO_ACKNOWLEDGE);
    var producer = session.createProducer(session.createQueue(orders.name()));
    producer.setTimeToLive(1_000);

    producer.send(session.createTextMessage("brief"));

    assertThat(orders.receiveDeadLetter().getDeadLetterReason()).isEqualTo("TTLExpiredException");
  }

  @Test
  @Rule({"S-072", "I-04"})
  void halfAMegabyteComesBackAsItWasSent(SharedBroker broker, Sdk sdk) throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    var session = connect(broker, "").createSession(Session.AUTO_ACKNOWLEDGE);
    var body = new byte[500_000];
    new Random(1).nextBytes(body);

    var sent = session.createBytesMessage();
    sent.writeBytes(body);
    session.createProducer(session.createQueue(orders.name())).send(sent);
    var message = (BytesMessage) receive(consumer(session, orders));

    assertThat(message.getBody(byte[].class)).isEqualTo(body);
  }

  @Test
  @Rule({"S-062", "S-509"})
  void aMissingQueueIsSaid(SharedBroker broker) throws JMSException {
    var session = connect(broker, "").createSession(Session.AUTO_ACKNOWLEDGE);
    var nowhere = session.createQueue("no-such-queue");

    assertThatThrownBy(() -> session.createConsumer(nowhere))
        .isInstanceOf(InvalidDestinationException.class)
        .hasMessageContaining("could not be found");
    assertThatThrownBy(() -> session.createProducer(nowhere))
        .isInstanceOf(InvalidDestinationException.class);
  }

  @Test
  @Rule({"S-086", "T-28"})
  void receivingWithoutWaitingDrains(SharedBroker broker, Sdk sdk) throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    var session =
        connect(broker, "?jms.prefetchPolicy.all=0").createSession(Session.AUTO_ACKNOWLEDGE);
    var consumer = consumer(session, orders);

    assertThat(consumer.receiveNoWait()).isNull();
    orders.send("order-1");
    assertThat(consumer.receiveNoWait()).isNotNull();
    assertThat(consumer.receiveNoWait()).isNull();
    orders.send("order-2");

    assertThat(orders.receive().getDeliveryCount()).isZero();
  }

  @Test
  @Rule({"S-086", "S-135"})
  void withoutPrefetchOneMessageComesForEachReceive(SharedBroker broker, Sdk sdk)
      throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c");
    var session =
        connect(broker, "?jms.prefetchPolicy.all=0").createSession(Session.AUTO_ACKNOWLEDGE);

    receive(consumer(session, orders));

    assertThat(TestQueue.bodies(orders.receive(2))).containsExactly("b", "c");
  }

  @Test
  @Rule({"S-379", "S-380", "S-395", "I-27"})
  void aTransactedSessionCommitsWhatItReceivedAndSentAcrossQueues(SharedBroker broker, Sdk sdk)
      throws JMSException {
    var orders = sdk.queue(QueueKind.PLAIN);
    var bills = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1", "order-2");
    var session =
        connect(broker, "?jms.prefetchPolicy.all=0").createSession(Session.SESSION_TRANSACTED);
    var consumer = consumer(session, orders);
    var producer = session.createProducer(session.createQueue(bills.name()));

    receive(consumer);
    producer.send(session.createTextMessage("bill-1"));
    var before = bills.everything();
    session.commit();

    assertThat(before).isEmpty();
    assertThat(bills.everything()).hasSize(1);
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-2");
  }

  @Test
  @Rule({"S-380", "S-382"})
  void aTransactedSessionRollsBackAndItsMessageIsBackWhenTheLockLapsed(SharedBroker broker, Sdk sdk)
      throws JMSException {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var session =
        connect(broker, "?jms.prefetchPolicy.all=0").createSession(Session.SESSION_TRANSACTED);
    var consumer = consumer(session, orders);
    var producer = session.createProducer(session.createQueue(orders.name()));

    receive(consumer);
    producer.send(session.createTextMessage("never"));
    session.rollback();
    consumer.close();

    var again = orders.receive();
    assertThat(again.getBody().toString()).isEqualTo("order-1");
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-1");
  }

  @Test
  @Rule({"S-464", "S-469", "S-470", "S-474"})
  void theKeyOfAQueueOpensThatQueueForWhatItsPolicyMay(SharedBroker broker, Sdk sdk)
      throws JMSException, IOException {
    var port = broker.process().port();
    var root = SharedAccess.token("https://localhost/", BrokerProcess.KEY_NAME, BrokerProcess.KEY);
    var made =
        PlainHttp.ask(
            port,
            "PUT",
            "/jms-guarded",
            "Authorization: " + root + "\r\n",
            PlainHttp.guardedQueue("shop", "first key", "second key", "Send"));
    assertThat(made).startsWith("HTTP/1.1 201");
    var session = connect(broker, "", "shop", "first key").createSession(Session.AUTO_ACKNOWLEDGE);

    var guarded = session.createQueue("jms-guarded");
    session.createProducer(guarded).send(session.createTextMessage("order-1"));

    assertThat(sdk.queue("jms-guarded").everything())
        .extracting(message -> message.getRawAmqpMessage().getBody().getValue())
        .containsExactly("order-1");
    assertThatThrownBy(() -> session.createConsumer(guarded))
        .isInstanceOf(JMSSecurityException.class);
    var other = session.createQueue(sdk.queue(QueueKind.PLAIN).name());
    assertThatThrownBy(() -> session.createProducer(other))
        .isInstanceOf(JMSSecurityException.class);
    assertThatThrownBy(() -> connect(broker, "", "shop", "third key"))
        .isInstanceOf(JMSSecurityException.class);
  }

  private Connection connect(SharedBroker broker, String options) throws JMSException {
    return connect(broker, options, BrokerProcess.KEY_NAME, BrokerProcess.KEY);
  }

  private Connection connect(SharedBroker broker, String options, String name, String key)
      throws JMSException {
    var factory = new JmsConnectionFactory("amqp://localhost:" + broker.process().port() + options);
    var connection = factory.createConnection(name, key);
    opened.push(connection);
    connection.start();
    return connection;
  }

  private static MessageConsumer consumer(Session session, TestQueue queue) throws JMSException {
    return session.createConsumer(session.createQueue(queue.name()));
  }

  private static Message receive(MessageConsumer consumer) throws JMSException {
    var message = consumer.receive(PATIENCE_MILLIS);
    assertThat(message).as("a message").isNotNull();
    return message;
  }
}
