package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is let in, and who has hung up before and is closed unheard. */
class NewcomersTest {
  private static final int BUDGET = LoopTurns.MOST_NEWCOMERS;

  private final Deque<EmbeddedChannel> waiting = new ArrayDeque<>();
  private final Set<Channel> gone = new HashSet<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private final LoopTurns turns = new LoopTurns(() -> 0, tasks::add);
  private final ConnectionLimiter limiter = new ConnectionLimiter(ConnectionLimits.DEFAULT);
  private final Newcomers newcomers = new Newcomers(turns, limiter, gone::contains);
  private final EmbeddedChannel listening = new EmbeddedChannel(newcomers);

  private void come(int count) {
    for (var i = 0; i < count; i++) {
      waiting.add(new EmbeddedChannel());
    }
  }

  private void comeAndHangUp(int count) {
    for (var i = 0; i < count; i++) {
      var channel = new EmbeddedChannel();
      gone.add(channel);
      waiting.add(channel);
    }
  }

  /** The loop looks at its sockets, with epoll, and then runs what is due: how many are let in. */
  private int round() {
    if (!waiting.isEmpty()) {
      newcomers.roundBegins();
      do {
        newcomers.took(1);
        listening.pipeline().fireChannelRead(waiting.remove());
      } while (!waiting.isEmpty() && newcomers.takesMore());
      listening.pipeline().fireChannelReadComplete();
    }
    return ends();
  }

  /** The same without epoll: all are taken before the first one is let in. */
  private int roundWithoutEpoll() {
    var all = new ArrayList<Channel>();
    newcomers.roundBegins();
    do {
      newcomers.took(1);
      all.add(waiting.remove());
    } while (!waiting.isEmpty() && newcomers.takesMore());
    all.forEach(listening.pipeline()::fireChannelRead);
    listening.pipeline().fireChannelReadComplete();
    return ends();
  }

  private int ends() {
    var letIn = 0;
    while (listening.readInbound() instanceof EmbeddedChannel newcomer) {
      assertThat(newcomer.isOpen()).isTrue();
      letIn++;
    }
    var due = List.copyOf(tasks);
    tasks.clear();
    due.forEach(Runnable::run);
    return letIn;
  }

  private long closedUnheard() {
    var closed = gone.stream().filter(channel -> !channel.isOpen()).count();
    assertThat(limiter.counts().unheard()).isEqualTo(closed);
    return closed;
  }

  private void firstReadsTake(long millis) {
    for (var i = 0; i < 100; i++) {
      turns.newcomerTook(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  @Test
  void whoSaysSomethingAndHangsUpIsHeardWhereNobodyWaits() {
    comeAndHangUp(BUDGET - 1);
    assertThat(round()).isEqualTo(BUDGET - 1);
    comeAndHangUp(BUDGET);
    assertThat(round()).isEqualTo(BUDGET);

    assertThat(round()).as("nobody was behind them").isZero();
    comeAndHangUp(1);
    assertThat(round()).isEqualTo(1);
    assertThat(closedUnheard()).isZero();
  }

  @Test
  void aRoundLetsInSoManyAndNotOneMore() {
    come(2 * BUDGET + 5);

    assertThat(round()).isEqualTo(BUDGET);
    assertThat(round()).as("in a crowd").isEqualTo(BUDGET);
    assertThat(round()).isEqualTo(5);
  }

  @Test
  void aRoundWithoutEpollLetsInSoManyAndNotOneMore() {
    come(2 * BUDGET + 5);

    assertThat(roundWithoutEpoll()).isEqualTo(BUDGET);
    firstReadsTake(1);
    assertThat(roundWithoutEpoll()).isEqualTo(4);
    assertThat(roundWithoutEpoll()).isEqualTo(4);
  }

  @Test
  void whereFirstReadsAreSlowARoundLetsInOne() {
    firstReadsTake(10);
    come(3);

    assertThat(round()).isEqualTo(1);
    assertThat(round()).isEqualTo(1);
    assertThat(round()).isEqualTo(1);
  }

  @Test
  void inACrowdWhoHasHungUpIsClosedAndNobodyElse() {
    come(BUDGET);
    comeAndHangUp(20);
    come(5);
    comeAndHangUp(20);
    come(100);
    round();

    assertThat(round()).isEqualTo(BUDGET);
    assertThat(closedUnheard()).isEqualTo(40);
    assertThat(round()).as("the crowd goes on").isEqualTo(BUDGET);
    comeAndHangUp(1);
    while (!waiting.isEmpty()) {
      round();
    }
    assertThat(closedUnheard()).isEqualTo(41);
  }

  @Test
  void aRoundTakesSoManyAndNoMore() {
    come(BUDGET);
    comeAndHangUp(2 * Newcomers.MOST_TAKEN);
    come(1);
    round();

    assertThat(round()).isZero();
    assertThat(waiting).hasSize(Newcomers.MOST_TAKEN + 1);
    assertThat(round()).isZero();
    assertThat(waiting).hasSize(1);
    assertThat(round()).isEqualTo(1);
  }

  @Test
  void aCrowdIsOverWhenARoundTookAll() {
    come(BUDGET + 3);
    round();
    assertThat(round()).isEqualTo(3);

    comeAndHangUp(1);
    assertThat(round()).isEqualTo(1);
  }

  @Test
  void aCrowdIsOverWhenTheLoopLooksAndNobodyWaits() {
    come(2 * BUDGET);
    round();
    assertThat(round()).isEqualTo(BUDGET);
    assertThat(round()).isZero();

    comeAndHangUp(1);
    assertThat(round()).isEqualTo(1);
  }

  /** What a round may let in says nothing about whether somebody was left in the one before. */
  @Test
  void fewWhoseFirstReadsAreSlowAreNoCrowd() {
    come(3);
    assertThat(round()).isEqualTo(3);
    firstReadsTake(10);

    comeAndHangUp(1);
    assertThat(round()).isEqualTo(1);

    assertThat(round()).as("nobody was behind it").isZero();
    comeAndHangUp(1);
    assertThat(round()).isEqualTo(1);
    assertThat(closedUnheard()).isZero();
  }

  @Test
  void whoCannotBeAskedIsLetIn() {
    var unasked = new Newcomers(turns, limiter);
    var channel = new EmbeddedChannel(unasked);
    for (var round = 0; round < 2; round++) {
      unasked.roundBegins();
      for (var i = 0; i < BUDGET; i++) {
        var newcomer = new EmbeddedChannel();
        unasked.took(1);
        channel.pipeline().fireChannelRead(newcomer);
        assertThat(channel.<Object>readInbound()).isSameAs(newcomer);
        assertThat(newcomer.isOpen()).isTrue();
      }
      channel.pipeline().fireChannelReadComplete();
    }
  }
}
