package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What host names mean, and which of several names counts. */
class NamespaceRouterTest {
  private final HostTable<String> hosts =
      new HostTable<String>()
          .label("Tests", "tests")
          .label("orders", "orders")
          .host("Queues.Example.com", "orders")
          .host("tests.example.com", "orders");
  private final NamespaceRouter<String> open = NamespaceRouter.among(hosts, "default");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tests",
        "TESTS:5672",
        "tests.localhost",
        "tests.localhost:5672",
        "tests.localhost.",
        "tests.servicebus.windows.net",
        "Tests.ServiceBus.Windows.net:5671"
      })
  void aNamespaceIsKnownByItsFirstLabelWhateverFollows(String host) {
    assertThat(hosts.of(host)).isEqualTo("tests");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        ":",
        "localhost",
        "127.0.0.1:5672",
        "[::1]:5672",
        "[::1]",
        "test.localhost",
        "tests-2.localhost",
        "example.com",
        "queues.example.org",
        "x.tests.localhost",
        "tests/q"
      })
  void otherNamesMeanNothing(String host) {
    assertThat(hosts.of(host)).isNull();
  }

  @Test
  void aWholeNameWinsOverAFirstLabel() {
    assertThat(hosts.of("queues.example.com:443")).isEqualTo("orders");
    assertThat(hosts.of("tests.example.com")).isEqualTo("orders");
    assertThat(hosts.of(null)).isNull();
  }

  @Test
  void whereNothingWasNamedEachNameCounts() {
    assertThat(open.named("tests")).isEqualTo("tests");
    assertThat(open.named("orders.localhost")).isEqualTo("orders");
    assertThat(open.named("localhost")).isEqualTo("default");
    assertThat(open.named(null, "where it is")).isEqualTo("where it is");
  }

  @Test
  void aNameInTheHandshakeIsNotOverruled() {
    var choice = open.after("tests.localhost");

    assertThat(choice.start()).isEqualTo("tests");
    assertThat(choice.named("tests.servicebus.windows.net")).isEqualTo("tests");
    assertThat(choice.named("localhost")).isEqualTo("tests");
    assertThat(choice.named("orders.localhost")).isNull();
    assertThat(choice.after("orders.localhost")).isEqualTo(choice);
  }

  @Test
  void aHandshakeThatNamesNobodyLeavesTheChoiceOpen() {
    assertThat(open.after("localhost")).isEqualTo(open);
    assertThat(open.after(null).named("orders")).isEqualTo("orders");
  }

  @Test
  void onAPortOfItsOwnNoNameCounts() {
    var choice = NamespaceRouter.only("tests");

    assertThat(choice.after("orders").named("orders")).isEqualTo("tests");
    assertThat(choice.of(hosts.map(String::length), String::length).named("orders")).isEqualTo(5);
  }

  @Test
  void theSameChoiceCanBeMadeAmongParts() {
    var lengths = open.after("tests").of(hosts.map(String::length), String::length);

    assertThat(lengths.start()).isEqualTo(5);
    assertThat(lengths.named("orders")).isNull();
  }
}
