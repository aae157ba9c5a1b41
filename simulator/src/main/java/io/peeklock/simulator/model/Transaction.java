package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation;
import java.util.ArrayList;
import java.util.List;

/** What waits for the end of a transaction. */
final class Transaction {
  /** It is rolled back so long after its first operation (S-386). */
  private static final long LIFE_MILLIS = 120_000;

  final List<Operation> work = new ArrayList<>();

  /** When its first operation was asked, at the earliest and at the latest; 0 before. */
  long firstFromMillis;

  long firstToMillis;
  boolean over;

  void begun(long fromMillis, long toMillis) {
    if (firstToMillis == 0) {
      firstFromMillis = fromMillis;
      firstToMillis = toMillis;
    }
  }

  boolean mayHaveLapsed(long now) {
    return over || (firstToMillis != 0 && firstFromMillis + LIFE_MILLIS <= now);
  }

  boolean hasLapsed(long now) {
    return over || (firstToMillis != 0 && firstToMillis + LIFE_MILLIS <= now);
  }
}
