package io.peeklock.store;

import java.util.TreeSet;

/** What a repair knows about the numbers of one queue: which were given out, which are missing. */
final class SequenceLedger {
  final String name;

  /** The number that the next message had got, as far as is known. */
  private long next = 1;

  /** Messages with a lower number may have been settled in a batch that is lost. */
  private long uncertainBelow;

  private long kept;
  private long uncertain;

  /** Their bodies are gone with their files, so they were most likely settled in what is lost. */
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

  /** One of a dead-letter queue, or of a queue that is no more, which give no numbers out. */
  static SequenceLedger ofDeadLetters(String name) {
    var ledger = new SequenceLedger(name);
    ledger.next = Long.MAX_VALUE;
    return ledger;
  }

  long next() {
    return next;
  }

  // ---- what the log says

  /** The first that is known of this queue: nothing is missing before. */
  void begin(long first) {
    next = Math.max(next, first);
  }

  /** Numbers from here on are given out now; those before that nobody heard of are missing. */
  void givenFrom(long first) {
    if (first > next) {
      missing.add(next, first);
      settledAhead.headSet(first).forEach(missing::remove);
      settledAhead.headSet(first).clear();
      next = first;
    }
  }

  /** So many numbers were given out. */
  void given(long first, int count) {
    givenFrom(first);
    next = Math.max(next, first + count);
  }

  /**
   * Messages went from here. Those that are missing are missing where they went to, no longer here.
   *
   * @return for each whether it is missing
   */
  boolean[] left(long[] numbers) {
    var missed = new boolean[numbers.length];
    for (var i = 0; i < numbers.length; i++) {
      // What has a number that nobody heard of was stored in what is lost.
      missed[i] =
          missing.remove(numbers[i]) || (numbers[i] >= next && settledAhead.add(numbers[i]));
    }
    return missed;
  }

  /** Whether a message that should be here is missing. */
  boolean misses(long number) {
    return missing.has(number) || (number >= next && !settledAhead.contains(number));
  }

  /** A message that is missing should be here. */
  void miss(long number) {
    missing.add(number, number + 1);
  }

  /** These were done with: if they are missing, they are not missed. */
  void settled(long[] numbers) {
    for (var number : numbers) {
      if (!missing.remove(number) && number >= next) {
        settledAhead.add(number);
      }
    }
  }

  /** Batches are lost here. What was there before may have been settled in them. */
  void doubt(long below) {
    uncertainBelow = Math.max(uncertainBelow, below);
  }

  // ---- what became of the messages

  private boolean isUncertain(long number) {
    return number < uncertainBelow;
  }

  void keep(long number) {
    kept++;
    uncertain += isUncertain(number) ? 1 : 0;
  }

  /**
   * The body of a message is not there.
   *
   * @param isGone whether with its file, or its place in one
   */
  void leaveOut(long number, boolean isGone) {
    if (isGone && isUncertain(number)) {
      gone++;
    } else {
      damaged.add(number, number + 1);
    }
  }

  /** A message is kept without what a settlement changed. */
  void loseProperties() {
    lostProperties++;
  }

  /** The state of a session is damaged. */
  void loseState() {
    lostStates++;
  }

  /** Which rules a subscription had nobody can tell, or which of them. */
  void loseRules() {
    lostRules = true;
  }

  /** Whether it has the rules that it had. */
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
