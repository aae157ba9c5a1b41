package io.peeklock.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.meter.BudgetUse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies that come slowly give their room to others, and only where there is none left. */
class SlowBodiesTest {
  private static final int ROOM = 400_000;
  private static final int BODY = 100_000;
  private static final int TRICKLE = 1_200;

  private final HttpFixture http =
      new HttpFixture(
          "127.0.0.1",
          new HttpLimits(8_192, 8_192, 100, 10_000, 60_000, 1_024, 60_000, ROOM, 500, 1_000));
  private final List<EmbeddedChannel> slow = new ArrayList<>();

  @AfterEach
  void nothingIsKept() {
    for (var channel : slow) {
      var unused = channel.close();
    }
    var unused = http.channel.close();
    assertThat(http.edge.budgets()).allMatch(budget -> budget.taken() == 0);
  }

  private EmbeddedChannel begin(int declared, int sent) {
    var channel = http.connect();
    slow.add(channel);
    var head = "POST /big HTTP/1.1\r\nHost: localhost\r\nAuthorization: good\r\nContent-Length: ";
    write(channel, head + declared + "\r\n\r\n" + "x".repeat(sent));
    return channel;
  }

  private static String write(EmbeddedChannel channel, String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    return HttpFixture.answered(channel);
  }

  private void second() {
    for (var channel : slow) {
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    }
    slow.forEach(EmbeddedChannel::runPendingTasks);
    http.after(1_000);
  }

  private void seconds(int count, List<EmbeddedChannel> trickling) {
    for (var i = 0; i < count; i++) {
      second();
      for (var channel : trickling) {
        if (channel.isActive()) {
          channel.writeInbound(Unpooled.copiedBuffer(new byte[TRICKLE]));
        }
      }
    }
  }

  private BudgetUse bodies() {
    return http.edge.budgets().get(1);
  }

  private List<String> answers() {
    return slow.stream().map(HttpFixture::answered).filter(each -> !each.isEmpty()).toList();
  }

  @Test
  @Rule("I-46")
  void whoHoldsTheRoomAndTricklesGivesWayToWhoComesNext() {
    for (var i = 0; i < ROOM / BODY; i++) {
      begin(BODY, BODY / 2);
    }
    assertThat(bodies().taken()).isEqualTo(ROOM / BODY * (BODY / 2 * 5 / 4));

    seconds(12, List.copyOf(slow));
    var honest = http.aside(HttpFixture.big("Authorization: good\r\n", 2 * BODY));

    assertThat(honest).contains(" 200 OK");
    assertThat(answers())
        .isNotEmpty()
        .allMatch(each -> each.startsWith("HTTP/1.1 503") && each.contains("connection: close"));
    assertThat(bodies().refused()).isPositive();
  }

  @Test
  @Rule("I-46")
  void theSlowestGoesFirstAndNoMoreThanMustGo() {
    var fast = begin(900_000, 60_000);
    var still = begin(BODY, 60_000);
    var trickling = begin(BODY, 60_000);

    for (var i = 0; i < 8; i++) {
      seconds(1, List.of(trickling));
      write(fast, "x".repeat(25_000));
    }

    assertThat(HttpFixture.answered(still)).startsWith("HTTP/1.1 503");
    assertThat(HttpFixture.answered(fast)).isEmpty();
    assertThat(fast.isActive()).isTrue();
  }

  @Test
  @Rule("I-46")
  void asLongAsThereIsRoomNobodyMustHurry() {
    begin(BODY, BODY / 2);
    begin(BODY, BODY / 2);

    seconds(40, List.copyOf(slow));

    assertThat(answers()).isEmpty();
    assertThat(bodies().refused()).isZero();
  }
}
