package io.peeklock.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The broker without JUnit's help. */
@Timeout(60)
class PeeklockPlainTest {
  @Test
  void aBrokerListensOnItsPortUntilItIsClosed() throws Exception {
    var peeklock = Peeklock.start();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), peeklock.port())) {
      assertThat(socket.isConnected()).isTrue();
    }
    peeklock.close();
    peeklock.close();

    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), peeklock.port()))
        .isInstanceOf(java.net.ConnectException.class);
  }

  @Test
  void anUnknownEntityIsToldWithThoseThatThereAre() {
    try (var peeklock =
        Peeklock.builder().subscription("events", "all").topic("events").queue("orders").start()) {
      assertThatThrownBy(() -> peeklock.entity("order"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "there is no entity \"order\"; there are:"
                  + " [events, events/Subscriptions/all, orders]");
      assertThat(peeklock.entity("EVENTS/all").path()).isEqualTo("events/Subscriptions/all");
    }
  }

  @Test
  void anAssertionThatFailsSaysWhatIsThere() {
    try (var peeklock = Peeklock.builder().queue("orders").start()) {
      var orders = peeklock.entity("orders");
      assertThatThrownBy(() -> orders.assertActive(1))
          .isInstanceOf(AssertionError.class)
          .hasMessage("orders has 0 active messages, not 1; it has\n  nothing");
      assertThat(orders).hasToString("orders: 0 active of 0 messages");
    }
  }

  @Test
  void theClockGoesForwardOnly() {
    try (var peeklock = Peeklock.start()) {
      var before = peeklock.clock().now();
      assertThat(Duration.between(Instant.now(), before).abs()).isLessThan(Duration.ofSeconds(10));
      peeklock.clock().advance(Duration.ofDays(400));
      assertThat(peeklock.clock().now()).isAfterOrEqualTo(before.plus(Duration.ofDays(400)));
      peeklock.clock().set(before.plus(Duration.ofDays(500)));
      assertThatThrownBy(() -> peeklock.clock().set(before))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("never goes back");
    }
  }

  @Test
  void whatCannotBeIsRefusedByName() {
    assertThatThrownBy(() -> Peeklock.builder().queue("$orders"))
        .hasMessage(
            "the name of the queue \"$orders\" has a part that begins with $, which is reserved");
    assertThatThrownBy(
            () -> Peeklock.builder().queue("orders", q -> q.lockDuration(Duration.ofHours(1))))
        .hasMessageContaining("LockDuration must be from 1 second to 5 minutes");
    assertThatThrownBy(
            () -> Peeklock.builder().subscription("events", "all", s -> s.filter("f", "price >")))
        .hasMessageContaining("\"price >\" is no filter");
  }

  @Test
  void allOptionsOfTheBuilderAreTaken() {
    try (var peeklock =
        Peeklock.builder()
            .queue("end")
            .queue(
                "orders",
                q ->
                    q.autoDeleteOnIdle(Duration.ofMinutes(5))
                        .timeToLive(Duration.ofMinutes(1))
                        .forwardDeadLettersTo("end"))
            .queue("through", q -> q.forwardTo("end"))
            .topic("events", t -> t.timeToLive(Duration.ofHours(1)))
            .start()) {
      peeklock.clock().advance(Duration.ofMinutes(6));
      assertThatThrownBy(() -> peeklock.entity("orders")).hasMessageContaining("no entity");
      peeklock.reset();
      peeklock.entity("orders").assertEmpty();
    }
  }
}
