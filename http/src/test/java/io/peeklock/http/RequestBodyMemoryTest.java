package io.peeklock.http;

import static io.peeklock.http.HttpFixture.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.meter.BudgetUse;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory that bodies take, of clients with and without a token. */
class RequestBodyMemoryTest {
  private static final String GOOD = "Authorization: good\r\n";

  /** 1,000 bytes for clients with a token, 500 for those without. */
  private final HttpFixture http =
      new HttpFixture(
          "127.0.0.1",
          new HttpLimits(8_192, 8_192, 100, 10_000, 60_000, 1_024, 60_000, 1_000, 500, 1_000));

  @AfterEach
  void nothingIsKept() {
    var unused = http.channel.close();
    assertThat(http.edge.budgets()).allMatch(budget -> budget.taken() == 0);
    assertThat(http.edge.liveConnections()).isZero();
  }

  private List<Long> taken() {
    return http.edge.budgets().stream().limit(2).map(BudgetUse::taken).toList();
  }

  private String ask(String token, int bytes) {
    return http.send(post(token + "Content-Length: " + bytes, "x".repeat(bytes)));
  }

  @Test
  void bodiesOfAllUnauthenticatedClientsTogetherAreBounded() {
    assertThat(ask("", 501)).startsWith("HTTP/1.1 503");
    assertThat(http.edge.budgets().getFirst().refused()).isEqualTo(1);
  }

  @Test
  void whoHasATokenIsNotRefusedBecauseOfUnauthenticatedClients() {
    assertThat(http.edge.memory().unauthenticated().take(500)).isTrue();

    var without = http.aside(post("Content-Length: 1", "x"));
    var with = ask(GOOD, 1_000);

    assertThat(without).startsWith("HTTP/1.1 503");
    assertThat(with).startsWith("HTTP/1.1 200");
    http.edge.memory().unauthenticated().give(500);
  }

  @Test
  void bodiesOfThoseWithATokenAreBoundedToo() {
    assertThat(http.edge.memory().bodies().take(700)).isTrue();

    assertThat(ask(GOOD, 501)).startsWith("HTTP/1.1 503");

    http.edge.memory().bodies().give(700);
  }

  @Test
  void whoIsAuthenticatedTakesNothingFromTheOthersBudget() {
    http.send(post("Content-Length: 500", "x".repeat(100)));
    assertThat(taken()).containsExactly(125L, 0L);
    http.send("x".repeat(400));

    http.recognise();
    http.send(post("Content-Length: 900", "x".repeat(800)));

    assertThat(taken()).containsExactly(0L, 900L);
    assertThat(http.send("x".repeat(100))).contains(" 200 OK");
  }

  @Test
  void whatWasTakenForABodyIsGivenBack() {
    for (var i = 0; i < 3; i++) {
      assertThat(ask("", 500)).contains(" 200 OK");
      assertThat(ask(GOOD, 1_000)).contains(" 200 OK");
    }
    http.send(post(GOOD + "Content-Length: 1000", "x".repeat(999)));

    assertThat(taken()).containsExactly(0L, 1_000L);
  }

  @Test
  @Rule("I-46")
  void whatABufferTakesIsCountedNotWhatIsInIt() {
    var memory = new UnpooledByteBufAllocator(false);
    http.channel.config().setAllocator(memory);
    http.send(post(GOOD + "Transfer-Encoding: chunked", ""));

    for (var i = 0; i < 20; i++) {
      http.send("21\r\n" + "x".repeat(33) + "\r\n");
      var used = memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
      assertThat(taken().get(0) + taken().get(1)).isEqualTo(used);
      assertThat(used).isLessThanOrEqualTo(33 * (i + 1) * 5 / 4);
    }
  }

  @Test
  @Rule("I-05")
  void whatWasTakenForABufferThatCouldNotBeHadIsGivenBack() {
    http.channel.config().setAllocator(noMemory());

    http.send(post(GOOD + "Content-Length: 1000", "x".repeat(500)));

    assertThat(taken()).containsExactly(0L, 0L);
  }

  /** It throws as Netty does when there is no direct memory. */
  private static ByteBufAllocator noMemory() {
    var plain = new UnpooledByteBufAllocator(false);
    return (ByteBufAllocator)
        Proxy.newProxyInstance(
            ByteBufAllocator.class.getClassLoader(),
            new Class<?>[] {ByteBufAllocator.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("buffer") && method.getParameterCount() == 1) {
                throw new OutOfMemoryError("Cannot reserve direct memory");
              }
              return method.invoke(plain, arguments);
            });
  }

  @Test
  void oneUnauthenticatedClientHoldsALittle() {
    var much = new HttpFixture("127.0.0.1", HttpLimits.DEFAULT);
    var bytes = (int) RequestBodyMemory.UNAUTHENTICATED_BYTES + 1;

    assertThat(much.send(HttpFixture.big("", bytes))).startsWith("HTTP/1.1 401");
    assertThat(much.edge.budgets()).allMatch(budget -> budget.taken() == 0);
    assertThat(much.aside(HttpFixture.big(GOOD, bytes))).contains(" 200 OK");
  }
}
