package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is let in, and who has hung up before and is closed unheard. */
class NewcomersTest {
  private static final int BUDGET = LoopTurns.MOST_NEWCOMERS;

  private final Set<Channel> gone = new HashSet<>();
  private long now = Long.MAX_VALUE - 5; // it wraps on the way
  private final LoopTurns turns = new LoopTurns(() -> now, round -> {});
  private final Newcomers newcomers = new Newcomers(turns, gone::contains);
  private final EmbeddedChannel listening = new EmbeddedChannel(newcomers);

  /** So many come, as long as the round takes more: how many are let in. */
  private int come(int count, boolean haveHungUp) {
    var letIn = 0;
    for (var i = 0; i < count && newcomers.takesMore(); i++) {
      letIn += comes(haveHungUp) ? 1 : 0;
    }
    return letIn;
  }

  private boolean comes(boolean hasHungUp) {
    var channel = new EmbeddedChannel();
    if (hasHungUp) {
      gone.add(channel);
    }
    listening.writeInbound(channel);
    var isIn = Objects.equals(listening.readInbound(), channel);
    assertThat(channel.isOpen()).as("whoever is not let in is closed").isEqualTo(isIn);
    return isIn;
  }

  /** Rounds of a loop that is busy follow each other within a few milliseconds. */
  private void nextRound() {
    now += TimeUnit.MILLISECONDS.toNanos(10);
    newcomers.roundBegins();
  }

  @Test
  void whoSaysSomethingAndHangsUpIsHeardWhereNobodyWaits() {
    newcomers.roundBegins();
    assertThat(come(BUDGET - 1, true)).isEqualTo(BUDGET - 1);

    nextRound();
    assertThat(come(BUDGET, true)).isEqualTo(BUDGET);
  }

  @Test
  void behindThoseOfARoundWhoHasHungUpIsClosedAndTheFirstWhoHasNotIsTheLast() {
    newcomers.roundBegins();
    come(BUDGET, false);

    assertThat(come(50, true)).isZero();
    assertThat(newcomers.takesMore()).isTrue();
    assertThat(comes(false)).isTrue();
    assertThat(newcomers.takesMore()).isFalse();
  }

  @Test
  void inACrowdWhoHasHungUpIsClosedFromTheFirstOnAndNobodyElse() {
    newcomers.roundBegins();
    come(BUDGET + 1, false);
    nextRound();

    assertThat(come(20, true)).isZero();
    assertThat(come(100, false)).isEqualTo(BUDGET + 1);
  }

  @Test
  void aRoundTakesSoManyAndNoMore() {
    newcomers.roundBegins();
    come(BUDGET, false);
    come(1_000, true);
    assertThat(newcomers.takesMore()).isFalse();

    nextRound();
    assertThat(come(Newcomers.MOST_TAKEN - 1, true)).isZero();
    assertThat(newcomers.takesMore()).isTrue();
    comes(true);
    assertThat(newcomers.takesMore()).isFalse();
  }

  @Test
  void aCrowdIsOverWhenARoundTookAllOrLongAfterwards() {
    newcomers.roundBegins();
    come(BUDGET + 1, false);
    nextRound();
    come(3, false);
    nextRound();
    assertThat(comes(true)).as("nobody was left").isTrue();

    come(BUDGET + 1, false);
    now += TimeUnit.SECONDS.toNanos(1);
    newcomers.roundBegins();
    assertThat(comes(true)).as("a second later").isTrue();
  }

  @Test
  void whoCannotBeAskedIsLetIn() {
    var unasked = new Newcomers(turns);
    var channel = new EmbeddedChannel(unasked);
    unasked.roundBegins();

    for (var i = 0; i <= BUDGET; i++) {
      var newcomer = new EmbeddedChannel();
      channel.writeInbound(newcomer);
      assertThat(channel.<Object>readInbound()).isSameAs(newcomer);
      assertThat(newcomer.isOpen()).isTrue();
    }
  }
}
