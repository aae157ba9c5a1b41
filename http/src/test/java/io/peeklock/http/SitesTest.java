package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One connection, several hosts: who answers each request. */
class SitesTest {
  private final List<String> asked = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel();

  SitesTest() {
    var edge = new HttpEdge(HttpLimits.DEFAULT, new HostNames(List.of()), site("nobody"));
    var peer =
        new HttpPeer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            false,
            () -> {},
            HttpFixture.onLoopback());
    channel.pipeline().addLast(edge.newConnectionHandler(peer, this::at));
  }

  private @Nullable Router at(String authority) {
    asked.add(authority);
    return authority.startsWith("elsewhere.") ? null : site("site of " + authority);
  }

  private static Router site(String name) {
    return new Router(
        List.of(
            Route.reading(
                head -> head.path().equals("/who"),
                call -> call.answer(HttpAnswer.text(200, "text/plain", name)))));
  }

  private String get(String target, String host) {
    var request = "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    channel.runPendingTasks();
    var answer = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      answer.append(part.toString(StandardCharsets.UTF_8));
      part.release();
    }
    return answer.toString();
  }

  @Test
  void everyRequestOfAConnectionIsAnsweredByTheHostThatItNames() {
    assertThat(get("/who", "a.localhost:5300")).endsWith("site of a.localhost:5300");
    assertThat(get("/who", "b.localhost")).endsWith("site of b.localhost");
    assertThat(get("http://c.localhost/who", "a.localhost")).endsWith("site of c.localhost");
  }

  @Test
  void aHostThatTheConnectionWasNotMadeForIsMisdirected() {
    var answer = get("/who", "elsewhere.localhost");

    assertThat(answer).startsWith("HTTP/1.1 421 ").contains("connection: close");
    assertThat(asked).containsExactly("elsewhere.localhost");
    assertThat(channel.isOpen()).as("nothing more is heard").isFalse();
  }

  @Test
  void anUpgradeIsMisdirectedToo() {
    assertThat(get(HttpFixture.UPGRADE, "elsewhere.localhost")).startsWith("HTTP/1.1 421 ");
  }
}
