package io.peeklock.store;

import java.util.TreeSet;

/** The sequence numbers of one queue in a repair: which were given out, and which are missing. */
final class SequenceLedger {
  final String name;

  /** The number of the next message, as far as is known. */
  private long next = 1;

  /** Messages with a lower number may have been settled in a lost batch. */
  private long uncertainBelow;

  private long kept;
  private long uncertain;

  /** Messages whose bodies are gone with their files, so most likely settled in the lost part. */
  private long gone;

  private long lostProperties;
  private long lostStates;
  private boolean lostRules;
  private final NumberRanges missing = new NumberRanges();
  private final NumberRanges damaged = new NumberRanges();
  private final TreeSet<Long> settledAhead = new TreeSet<>();

  SequenceLedger(String name) {
    this.name = name;
  }

  /** A ledger of a dead-letter queue or a deleted queue, which give out no numbers. */
  static SequenceLedger ofDeadLetters(String name) {
    var ledger = new SequenceLedger(name);
    ledger.next = Long.MAX_VALUE;
    return ledger;
  }

  long next() {
    return next;
  }

  // ---- from the log

  /** Begins at the first known number: nothing is missing before. */
  void begin(long first) {
    next = Math.max(next, first);
  }

  /** Notes that numbers from here on are given out; earlier unknown ones are missing. */
  void givenFrom(long first) {
    if (first > next) {
      missing.add(next, first);
      settledAhead.headSet(first).forEach(missing::remove);
      settledAhead.headSet(first).clear();
      next = first;
    }
  }

  /** Notes numbers that were given out. */
  void given(long first, int count) {
    givenFrom(first);
    next = Math.max(next, first + count);
  }

  /**
   * Notes messages that moved away. Missing ones are then missing at their destination, no longer
   * here.
   *
   * @return for each whether it is missing
   */
  boolean[] left(long[] numbers) {
    var missed = new boolean[numbers.length];
    for (var i = 0; i < numbers.length; i++) {
      // A message with an unknown number was stored in the lost part.
      missed[i] =
          missing.remove(numbers[i]) || (numbers[i] >= next && settledAhead.add(numbers[i]));
    }
    return missed;
  }

  /** Whether a message that should be here is missing. */
  boolean misses(long number) {
    return missing.has(number) || (number >= next && !settledAhead.contains(number));
  }

  /** Notes a missing message. */
  void miss(long number) {
    missing.add(number, number + 1);
  }

  /** Notes settled messages, which no longer count as missing. */
  void settled(long[] numbers) {
    for (var number : numbers) {
      if (!missing.remove(number) && number >= next) {
        settledAhead.add(number);
      }
    }
  }

  /** Notes lost batches, which may have settled earlier messages. */
  void doubt(long below) {
    uncertainBelow = Math.max(uncertainBelow, below);
  }

  // ---- results for messages

  private boolean isUncertain(long number) {
    return number < uncertainBelow;
  }

  void keep(long number) {
    kept++;
    uncertain += isUncertain(number) ? 1 : 0;
  }

  /**
   * Leaves out a message whose body is lost.
   *
   * @param isGone whether its file, or its place in one, is missing
   */
  void leaveOut(long number, boolean isGone) {
    if (isGone && isUncertain(number)) {
      gone++;
    } else {
      damaged.add(number, number + 1);
    }
  }

  /** Notes a message that is kept without its changed properties. */
  void loseProperties() {
    lostProperties++;
  }

  /** Notes a damaged session state. */
  void loseState() {
    lostStates++;
  }

  /** Notes that the rules of a subscription are unknown, all or some. */
  void loseRules() {
    lostRules = true;
  }

  /** Whether its rules are complete. */
  boolean hasRules() {
    return !lostRules;
  }

  boolean hasLoss() {
    return lostRules || missing.count() + damaged.count() + lostProperties + lostStates > 0;
  }

  @Override
  public String toString() {
    var text = new StringBuilder(name).append(": ").append(kept).append(" kept");
    add(text, uncertain, " of them uncertain (they may have been completed in what is lost)");
    add(text, missing.count(), " lost with their batch (" + missing + ")");
    add(text, damaged.count(), " lost because their body is damaged or gone (" + damaged + ")");
    add(
        text,
        gone,
        " left out because their files are gone (most likely completed in what is lost)");
    add(text, lostProperties, " kept without what a settlement changed");
    add(text, lostStates, " states of sessions lost because they are damaged");
    if (lostRules) {
      text.append(", and the rules that it had, or some of them, are lost: look which it has");
      text.append(" before it is served (with none it takes no message)");
    }
    return text.toString();
  }

  private static void add(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(", ").append(count).append(what);
    }
  }
}
