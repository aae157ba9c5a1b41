package io.peeklock.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Azure's own client and the broker in one JVM. */
@PeeklockTest
@Queue(value = "orders", maxDeliveryCount = 2)
@Queue(value = "carts", requiresSession = true)
@Queue(value = "once", duplicateWindow = "PT20S")
@Queue(value = "brief", timeToLive = "PT10S", deadLetteringOnExpiration = true)
@Topic(value = "events", subscriptions = "all")
@Subscription(topic = "events", name = "dear", filter = "price > 100")
@Timeout(120)
class PeeklockWithClientsTest {
  private static ServiceBusMessage message(String id) {
    return new ServiceBusMessage("body of " + id).setMessageId(id);
  }

  private static ServiceBusSenderClient sender(ServiceBusClientBuilder clients, String queue) {
    return clients.sender().queueName(queue).buildClient();
  }

  private static ServiceBusReceiverClient receiver(ServiceBusClientBuilder clients, String queue) {
    return clients.receiver().queueName(queue).disableAutoComplete().buildClient();
  }

  @Test
  void whatAClientSendsIsSeenAsItWasSent(
      ServiceBusClientBuilder clients, @Queue("orders") PeeklockEntity orders) {
    try (var sender = sender(clients, "orders")) {
      var sent = message("one").setSubject("book").setContentType("text/plain");
      sent.getApplicationProperties().put("price", 120);
      sender.sendMessage(sent);

      orders.assertActive(1).assertDeadLettered(0).assertScheduled(0).assertDeferred(0);
      assertThat(orders.messages())
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.text()).isEqualTo("body of one");
                assertThat(one.body()).hasSize(11);
                assertThat(one.messageId()).isEqualTo("one");
                assertThat(one.subject()).isEqualTo("book");
                assertThat(one.contentType()).isEqualTo("text/plain");
                assertThat(one.correlationId()).isNull();
                assertThat(one.properties()).containsEntry("price", 120L);
                assertThat(one.deadLetterReason()).isNull();
              });
    }
  }

  @Test
  void anAssertionThatFailsListsEveryMessageInEveryState(
      Peeklock peeklock, ServiceBusClientBuilder clients, @Queue("orders") PeeklockEntity orders) {
    try (var sender = sender(clients, "orders");
        var receiver = receiver(clients, "orders")) {
      sender.sendMessage(message("dead"));
      receiver.deadLetter(receiver.receiveMessages(1).iterator().next());
      sender.sendMessage(message("aside"));
      receiver.defer(receiver.receiveMessages(1).iterator().next());
      var tried = message("tried");
      tried.getApplicationProperties().put("price", 120);
      sender.sendMessage(tried);
      receiver.abandon(receiver.receiveMessages(1).iterator().next());
      sender.scheduleMessage(
          new ServiceBusMessage("x".repeat(500)).setMessageId("later"),
          peeklock.clock().now().plusSeconds(600).atOffset(ZoneOffset.UTC));

      assertThatThrownBy(orders::assertEmpty)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("orders has 4 stored messages, not 0; it has\n")
          .hasMessageContaining("DEFERRED \"body of aside\" id=aside")
          .hasMessageContaining("ACTIVE \"body of tried\" id=tried {price=120} deliveries=1")
          .hasMessageContaining("SCHEDULED \"xxx")
          .hasMessageContaining("…\" id=later")
          .hasMessageContaining("dead:")
          .hasMessageContaining("\"body of dead\" id=dead");
      assertThat(orders.messages().getFirst().scheduledFor()).isNull();
      assertThat(orders.deadLetters().getFirst().deadLetterReason()).isNull();
      orders.assertDeferred(1);
    }
  }

  @Test
  void aMessageOfASessionIsListedWithIt(Peeklock peeklock, ServiceBusClientBuilder clients) {
    try (var sender = sender(clients, "carts")) {
      sender.sendMessage(message("one").setSessionId("mine"));
      var carts = peeklock.entity("carts");

      assertThatThrownBy(() -> carts.assertActive(2)).hasMessageContaining("session=mine");
      assertThatThrownBy(() -> carts.assertScheduled(1)).hasMessageContaining("0 scheduled");
    }
  }

  @Test
  void aLockLapsesWhenTheClockMoves(
      Peeklock peeklock, ServiceBusClientBuilder clients, @Queue("orders") PeeklockEntity orders) {
    try (var sender = sender(clients, "orders");
        var receiver = receiver(clients, "orders")) {
      sender.sendMessage(message("one"));
      var first = receiver.receiveMessages(1).iterator().next();
      assertThat(orders.locked()).isOne();

      peeklock.clock().advance(Duration.ofSeconds(61));

      assertThat(orders.locked()).isZero();
      assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(ServiceBusException.class);
      assertThat(orders.messages().getFirst().deliveryCount()).isOne();
      receiver.receiveMessages(1).iterator().next();
      peeklock.clock().advance(Duration.ofSeconds(61));
      orders.assertActive(0).assertDeadLettered(1);
      assertThat(orders.deadLetters().getFirst().deadLetterReason())
          .isEqualTo("MaxDeliveryCountExceeded");
    }
  }

  @Test
  void whatIsScheduledAndWhatExpiresFollowTheClock(
      Peeklock peeklock, ServiceBusClientBuilder clients) {
    var orders = peeklock.entity("orders");
    try (var sender = sender(clients, "orders");
        var brief = sender(clients, "brief")) {
      var due = peeklock.clock().now().plusSeconds(600);
      sender.scheduleMessage(message("later"), due.atOffset(ZoneOffset.UTC));
      brief.sendMessage(message("short-lived"));
      orders.assertActive(0).assertScheduled(1);
      assertThat(orders.messages().getFirst().scheduledFor()).isNotNull();

      peeklock.clock().advance(Duration.ofSeconds(10));
      peeklock.entity("brief").assertActive(0).assertDeadLettered(1);

      peeklock.clock().set(due);
      orders.assertActive(1).assertScheduled(0);
    }
  }

  @Test
  void aSessionLockAndADuplicateWindowFollowTheClock(
      Peeklock peeklock, ServiceBusClientBuilder clients) {
    try (var carts = sender(clients, "carts");
        var once = sender(clients, "once");
        var sessions = clients.sessionReceiver().queueName("carts").buildClient()) {
      carts.sendMessage(message("one").setSessionId("A"));
      once.sendMessage(message("same"));
      once.sendMessage(message("same"));
      peeklock.entity("once").assertActive(1);
      try (var held = sessions.acceptSession("A")) {
        peeklock.clock().advance(Duration.ofSeconds(61));
        assertThatThrownBy(() -> held.setSessionState(new byte[] {1}))
            .isInstanceOf(ServiceBusException.class);
      }
      once.sendMessage(message("same"));
      peeklock.entity("once").assertActive(2);
      assertThat(peeklock.entity("carts").messages().getFirst().sessionId()).isEqualTo("A");
    }
  }

  @Test
  void subscriptionsSelect(
      ServiceBusClientBuilder clients,
      @Subscription(topic = "events", name = "dear") PeeklockEntity dear,
      Peeklock peeklock) {
    try (var sender = clients.sender().topicName("events").buildClient()) {
      for (var price : new int[] {99, 101}) {
        var one = message("p" + price);
        one.getApplicationProperties().put("price", price);
        sender.sendMessage(one);
      }
    }
    dear.assertActive(1);
    peeklock.entity("events/Subscriptions/all").assertActive(2);
  }

  @Test
  void nothingIsLeftAfterAReset(Peeklock peeklock, ServiceBusClientBuilder clients) {
    try (var sender = sender(clients, "orders");
        var receiver = receiver(clients, "orders")) {
      sender.sendMessage(message("before"));
      receiver.receiveMessages(1).iterator().next();
    }

    peeklock.reset();
    peeklock.entity("orders").assertEmpty();

    try (var sender = sender(clients, "orders")) {
      sender.sendMessage(message("after"));
      peeklock.entity("orders").assertActive(1);
    }
  }

  @Nested
  class InsideIt {
    @Test
    void theBrokerIsTheOneAround(@ConnectionString String inner, Peeklock peeklock) {
      assertThat(inner)
          .isEqualTo(peeklock.connectionString())
          .contains("localhost:" + peeklock.port());
      peeklock.entity("orders").assertEmpty();
    }
  }
}
