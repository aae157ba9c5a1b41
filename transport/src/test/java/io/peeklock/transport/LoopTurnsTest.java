package io.peeklock.transport;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How connections share the time of a loop; the clock and the rounds are the test's. */
class LoopTurnsTest {
  private static final long TURN = LoopTurns.AUTHENTICATED_SLICE_NANOS;
  private static final long UNAUTHENTICATED_TURN = LoopTurns.UNAUTHENTICATED_SLICE_NANOS;

  private final Deque<Runnable> rounds = new ArrayDeque<>();
  private final List<String> woken = new ArrayList<>();
  private final List<String> reads = new ArrayList<>();
  private final Map<String, ConnectionTurn> turns = new LinkedHashMap<>();
  private long now = Long.MAX_VALUE - 5; // it wraps on the way
  private final LoopTurns loop = new LoopTurns(() -> now, rounds::add);

  @Test
  void soManyNewcomersAreLetInAsWillNotKeepTheLoopForLong() {
    assertThat(loop.newcomers()).isEqualTo(LoopTurns.MOST_NEWCOMERS);

    newcomersTake(TimeUnit.MICROSECONDS.toNanos(990));
    assertThat(loop.newcomers()).isEqualTo(4);

    newcomersTake(10 * TURN);
    assertThat(loop.newcomers()).isEqualTo(1);

    newcomersTake(TimeUnit.MICROSECONDS.toNanos(10));
    assertThat(loop.newcomers()).isEqualTo(LoopTurns.MOST_NEWCOMERS);
  }

  @Test
  void onlyTheFirstReadIsThatOfANewcomer() {
    newcomersTake(TimeUnit.MICROSECONDS.toNanos(10));
    var one = unauthenticated("one");
    use(one, TimeUnit.MICROSECONDS.toNanos(10));

    use(one, 50 * TURN);
    one.authenticated();
    use(one, 50 * TURN);

    assertThat(loop.newcomers()).isEqualTo(LoopTurns.MOST_NEWCOMERS);
  }

  private void newcomersTake(long nanos) {
    for (var index = 0; index < 100; index++) {
      use(unauthenticated("newcomer"), nanos);
    }
  }

  @Test
  void whoIsAloneGoesOnAtOnceHoweverMuchItUses() {
    var only = authenticated("only");

    for (var i = 0; i < 100; i++) {
      use(only, TURN);
      round();
    }

    assertThat(only.isStopped()).isFalse();
    assertThat(woken).isEmpty();
  }

  @Test
  void whoUsesLittleNeverWaitsBesideAnyNumberThatUseMuch() {
    var light = authenticated("light");
    for (var i = 0; i < 50; i++) {
      use(authenticated("heavy" + i), 2 * TURN);
    }

    for (var i = 0; i < 100; i++) {
      pass(100);
      use(light, TURN / 12);
      round();

      assertThat(light.isStopped()).isFalse();
    }
  }

  @Test
  void inEachRoundSoManyGoOnAsHaveTurnsInIt() {
    crowd("heavy", 10);

    for (var i = 0; i < 50; i++) {
      everybodyReads(TURN);
      assertThat(reads()).as("round " + i).isLessThanOrEqualTo(i < 2 ? 10 : 4);
      round();
    }
  }

  @Test
  void allAreReadEquallyOften() {
    crowd("heavy", 10);

    rounds(100, TURN);

    turns.keySet().forEach(name -> assertThat(often(name)).isBetween(39, 41));
  }

  @Test
  void whoTookLongForOneReadWaitsUntilTheOthersHadAsMuch() {
    crowd("heavy", 10);
    use(named("heavy0"), 20 * TURN);

    rounds(40, TURN);
    assertThat(often("heavy0")).isZero();
    assertThat(often("heavy1")).isBetween(15, 20);

    rounds(40, TURN);
    assertThat(often("heavy0")).isBetween(10, 20);
  }

  @Test
  void whoCameLateIsNotBehindAllOthersButSavesNothingUp() {
    crowd("heavy", 10);
    rounds(50, TURN);
    var late = authenticated("late");
    use(late, TURN);
    assertThat(late.isStopped()).isTrue();
    reads.clear();

    rounds(3, TURN);
    assertThat(often("late")).isEqualTo(1);

    rounds(108, TURN);
    assertThat(often("late")).isBetween(38, 42);
    assertThat(often("heavy3")).isBetween(38, 42);
  }

  @Test
  void whatWasUsedWhileNobodyWaitedIsNotOwedToNewcomers() {
    var old = authenticated("old");
    for (var i = 0; i < 10_000; i++) {
      use(old, TURN);
      round();
    }
    crowd("heavy", 10);

    rounds(100, TURN);

    assertThat(often("old")).isBetween(35, 45);
  }

  @Test
  void allUnauthenticatedClientsTogetherGetOneTurnInARound() {
    for (var i = 0; i < 500; i++) {
      unauthenticated("unauthenticated" + i);
    }
    crowd("heavy", 10);
    rounds(1_100, TURN); // at first each has its first turn, which is paid for when it is let go
    reads.clear();

    rounds(1_000, TURN);

    assertThat(often("heavy")).isBetween(3_900, 4_100);
    assertThat(often("unauthenticated")).isBetween(900, 1_100);
  }

  @Test
  void whoWaitsIsReadAgainHoweverManyNewcomersEachRoundBrings() {
    var login = unauthenticated("login");
    newcomers(50);
    use(login, 3 * UNAUTHENTICATED_TURN);
    assertThat(login.isStopped()).isTrue();

    assertThat(roundsUntilRead(login)).isLessThan(60);

    for (var i = 0; i < 5; i++) { // a handshake, a header, SASL, open, a token
      use(login, 3 * UNAUTHENTICATED_TURN);
      assertThat(roundsUntilRead(login)).as("read " + i).isLessThan(20);
    }
  }

  @Test
  void whoWaitsIsBehindThoseInLineBeforeItAndFewOfThoseWhoCameLater() {
    for (var i = 0; i < 100; i++) {
      use(unauthenticated("unauthenticated" + i), UNAUTHENTICATED_TURN);
    }
    var login = unauthenticated("login");
    use(login, 3 * UNAUTHENTICATED_TURN);

    var before = 0;
    while (login.isStopped() && before < 10_000) {
      use(unauthenticated("newcomer" + before), UNAUTHENTICATED_TURN); // stands in line now
      round();
      before++;
    }

    assertThat(before).isBetween(100, 4 * 100);
  }

  @Test
  void whoLogsInBringsNothingOfTheOtherLineAlong() {
    newcomers(1_000);
    var login = unauthenticated("login");
    use(login, 50 * UNAUTHENTICATED_TURN);
    crowd("heavy", 10);
    rounds(20, TURN);

    login.authenticated();
    use(login, TURN);
    reads.clear();
    rounds(4, TURN);

    assertThat(often("login")).isPositive();
  }

  @Test
  void aProbeIsReadAtOnceWhateverUnauthenticatedClientsDo() {
    for (var i = 0; i < 500; i++) {
      use(unauthenticated("unauthenticated" + i), 2 * UNAUTHENTICATED_TURN);
    }

    var probe = unauthenticated("probe");
    use(probe, UNAUTHENTICATED_TURN / 2);

    assertThat(probe.isStopped()).isFalse();
  }

  @Test
  void whatUnauthenticatedClientsUseBeyondTheirTurnIsTakenFromTheNextRounds() {
    var first = unauthenticated("first");
    use(first, UNAUTHENTICATED_TURN);
    use(first, 10 * UNAUTHENTICATED_TURN);
    use(unauthenticated("second"), UNAUTHENTICATED_TURN);

    for (var i = 0; i < 10; i++) {
      assertThat(round()).as("round " + i).isEmpty();
    }
    assertThat(round()).isNotEmpty();
  }

  @Test
  void whoLogsInLeavesTheLineOfTheUnauthenticated() {
    for (var i = 0; i < 5; i++) {
      use(unauthenticated("unauthenticated" + i), 2 * UNAUTHENTICATED_TURN);
    }
    var client = named("unauthenticated4");
    assertThat(client.isStopped()).isTrue();

    client.authenticated();

    assertThat(woken).containsExactly("unauthenticated4");
    assertThat(client.isStopped()).isFalse();
  }

  @Test
  void whoIsGoneIsWokenNoMore() {
    crowd("heavy", 10);
    everybodyReads(TURN);
    named("heavy7").end();
    named("heavy7").end();

    for (var i = 0; i < 10; i++) {
      assertThat(round()).doesNotContain("heavy7");
      everybodyReads(TURN);
    }
  }

  @Test
  void whatIsReadWhileItWaitsCountsToo() {
    crowd("heavy", 10);
    everybodyReads(TURN);
    use(named("heavy9"), 20 * TURN); // the system tells of a stream's end whether we read or not
    reads.clear();

    rounds(40, TURN);

    assertThat(often("heavy9")).isLessThanOrEqualTo(1);
    assertThat(often("heavy1")).isBetween(14, 20);
  }

  @Test
  void roundsAreMadeOnlyWhileSomebodyWaits() {
    crowd("heavy", 5);
    everybodyReads(TURN);

    for (var i = 0; i < 20 && !rounds.isEmpty(); i++) {
      round();
    }

    assertThat(rounds).isEmpty();
    assertThat(waiting()).isZero();
  }

  @Test
  void readsBecomeSmallWhereTheyCostMuchAndLargeWhereTheyCostLittle() {
    var client = authenticated("client");
    var first = client.mostBytes();

    use(client, TURN / 10);
    assertThat(client.mostBytes()).isEqualTo(2 * first);
    for (var i = 0; i < 20; i++) {
      use(client, TURN / 10);
    }
    assertThat(client.mostBytes()).isEqualTo(ConnectionTurn.MOST_BYTES);
    for (var i = 0; i < 20; i++) {
      use(client, TURN);
    }
    assertThat(client.mostBytes()).isEqualTo(512);
  }

  @Test
  void anUnauthenticatedClientIsReadOnceInARoundAndLittle() {
    var someone = unauthenticated("someone");
    for (var i = 0; i < 20; i++) {
      use(someone, TURN / 100);
    }

    assertThat(someone.mostBytes()).isEqualTo(ConnectionTurn.UNAUTHENTICATED_BYTES);
    someone.read();
    assertThat(someone.readsOn()).isFalse();
  }

  @Test
  void whoLoggedInIsReadOnUntilItsTurnIsOver() {
    var client = authenticated("client");

    client.read();
    now += TURN - 1;
    assertThat(client.readsOn()).isTrue();
    now++;
    assertThat(client.readsOn()).isFalse();
  }

  private ConnectionTurn unauthenticated(String name) {
    var turn = new ConnectionTurn(loop, () -> woken.add(name));
    turns.put(name, turn);
    return turn;
  }

  private ConnectionTurn authenticated(String name) {
    var turn = unauthenticated(name);
    turn.authenticated();
    return turn;
  }

  private ConnectionTurn named(String name) {
    return requireNonNull(turns.get(name));
  }

  private void crowd(String name, int count) {
    for (var i = 0; i < count; i++) {
      authenticated(name + i);
    }
  }

  private void use(ConnectionTurn turn, long nanos) {
    turn.read();
    now += nanos;
    turn.handled();
  }

  /** How many rounds it waits while 50 newcomers come in each. */
  private int roundsUntilRead(ConnectionTurn turn) {
    var count = 0;
    while (turn.isStopped() && count < 1_000) {
      newcomers(50);
      round();
      count++;
    }
    return count;
  }

  /** So many come, and use up their first turn; those who came before them are gone. */
  private void newcomers(int count) {
    for (var i = 0; i < count; i++) {
      var before = turns.get("newcomer" + i);
      if (before != null) {
        before.end();
      }
      use(unauthenticated("newcomer" + i), UNAUTHENTICATED_TURN * 6 / 5);
    }
  }

  /** Who need not wait is read, and uses so much. */
  private void everybodyReads(long nanos) {
    reads.clear();
    turns.forEach((name, turn) -> readUnlessItWaits(name, turn, nanos));
  }

  private void readUnlessItWaits(String name, ConnectionTurn turn, long nanos) {
    if (!turn.isStopped()) {
      reads.add(name);
      use(turn, nanos);
    }
  }

  /** All use up what their kind may have at a time, or so much of it. */
  private void rounds(int count, long nanos) {
    for (var i = 0; i < count; i++) {
      turns.forEach((name, turn) -> readUnlessItWaits(name, turn, costOf(name, nanos)));
      round();
    }
  }

  private static long costOf(String name, long nanos) {
    return isOf(name, "unauthenticated") ? nanos * UNAUTHENTICATED_TURN / TURN : nanos;
  }

  private int reads() {
    return reads.size();
  }

  /** How often those whose names begin so were read. */
  private int often(String name) {
    return (int) reads.stream().filter(read -> read.equals(name) || isOf(read, name)).count();
  }

  private static boolean isOf(String read, String kind) {
    return read.startsWith(kind) && !Character.isDigit(kind.charAt(kind.length() - 1));
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** One round of the loop; who was let go in it. */
  private List<String> round() {
    woken.clear();
    var task = rounds.poll();
    if (task != null) {
      task.run();
    }
    return List.copyOf(woken);
  }

  private long waiting() {
    return turns.values().stream().filter(ConnectionTurn::isStopped).count();
  }
}
