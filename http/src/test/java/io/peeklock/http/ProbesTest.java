package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What orchestrators are told. */
class ProbesTest {
  private CompletableFuture<Optional<String>> unready = now(Optional.empty());
  private CompletableFuture<Optional<String>> dead = now(Optional.empty());
  private Optional<String> warning = Optional.empty();
  private long nowNanos = Long.MAX_VALUE - 10; // time may wrap
  private int looks;

  private final List<Route> routes =
      Probes.routes(
          new Probes.Condition() {
            @Override
            public CompletableFuture<Optional<String>> unready() {
              looks++;
              return unready;
            }

            @Override
            public Optional<String> warning() {
              return warning;
            }

            @Override
            public CompletableFuture<Optional<String>> dead() {
              return dead;
            }
          },
          () -> nowNanos);

  @Test
  void allIsWellInTheEmulatorsWords() {
    assertThat(asked("/health")).startsWith("HTTP/1.1 200 ").endsWith("{\"status\":\"healthy\"}");
    assertThat(asked("/health/ready")).startsWith("HTTP/1.1 200 ");
    assertThat(asked("/health/alive")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void oneThatTakesNoMessagesIsAliveAndNotReady() {
    unready = now(Optional.of("sends are refused"));

    assertThat(asked("/health"))
        .startsWith("HTTP/1.1 503 ")
        .endsWith("{\"status\":\"unhealthy\",\"reason\":\"sends are refused\"}");
    assertThat(asked("/health/ready")).startsWith("HTTP/1.1 503 ");
    assertThat(asked("/health/alive")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aReasonThatNamesAnEntityIsStillJson() {
    unready = now(Optional.of("queue a\"b\\c stands"));

    assertThat(asked("/health")).endsWith("\"reason\":\"queue a\\\"b\\\\c stands\"}");
  }

  @Test
  void whatOperatorsShouldSeeToIsToldBesideThatAllIsWell() {
    warning = Optional.of("the clock was wrong");

    assertThat(asked("/health/ready"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("{\"status\":\"healthy\",\"warning\":\"the clock was wrong\"}");
    assertThat(asked("/health/alive")).endsWith("{\"status\":\"healthy\"}");
  }

  @Test
  void oneThatCannotGoOnIsNotAlive() {
    dead = now(Optional.of("the log cannot be written"));

    assertThat(asked("/health/alive")).startsWith("HTTP/1.1 503 ");
  }

  @Test
  void aFailureToLookIsNoGoodSign() {
    unready = CompletableFuture.failedFuture(new IllegalStateException("on purpose"));

    assertThat(asked("/health")).startsWith("HTTP/1.1 503 ").doesNotContain("on purpose");
  }

  /** Anybody may ask, and an answer takes a batch and a sync. */
  @Test
  void allWhoAskWithinAQuarterOfASecondShareOneLook() {
    for (var i = 0; i < 1_000; i++) {
      assertThat(asked("/health")).startsWith("HTTP/1.1 200 ");
      assertThat(asked("/health/ready")).startsWith("HTTP/1.1 200 ");
    }
    assertThat(looks).isEqualTo(1);

    unready = new CompletableFuture<>();
    nowNanos += 250_000_000;
    assertThat(asked("/health")).isEmpty();
    nowNanos += 1_000_000_000;
    assertThat(asked("/health")).isEmpty();
    assertThat(looks).isEqualTo(2);

    unready.complete(Optional.of("sends are refused"));
    unready = now(Optional.empty());
    assertThat(asked("/health")).startsWith("HTTP/1.1 200 ");
    assertThat(looks).isEqualTo(3);
  }

  @Test
  void anEntityOfThatNameIsAskedForWithAToken() {
    assertThat(asked("/health", "Authorization: SharedAccessSignature x\r\n"))
        .startsWith("HTTP/1.1 404 ");
  }

  @Test
  void anEntityOfThatNameIsAskedForWithAVersion() {
    assertThat(asked("/health?api-version=2021-05", "")).startsWith("HTTP/1.1 404 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer x", "Basic eDp4", "Shared"})
  void whateverElseAnOrchestratorSendsAlongItsProbeIsAnswered(String credentials) {
    assertThat(asked("/health/alive", "Authorization: " + credentials + "\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  private String asked(String path) {
    return asked(path, "");
  }

  private String asked(String path, String headers) {
    var edge = new HttpEdge(HttpLimits.DEFAULT, new HostNames(List.of()), new Router(routes));
    var nowhere = new HttpFixture("127.0.0.1", HttpLimits.DEFAULT);
    var peer =
        new HttpPeer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), true, () -> {}, nowhere);
    var channel = new EmbeddedChannel();
    channel.pipeline().addLast(edge.newConnectionHandler(peer));
    var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
    channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    channel.runPendingTasks();
    var answer = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      answer.append(part.toString(StandardCharsets.UTF_8));
      part.release();
    }
    return answer.toString();
  }

  private static CompletableFuture<Optional<String>> now(Optional<String> trouble) {
    return CompletableFuture.completedFuture(trouble);
  }
}
