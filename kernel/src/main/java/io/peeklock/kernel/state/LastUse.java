package io.peeklock.kernel.state;

import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Stamp;

/**
 * When an entity was last used since the start (S-308 to S-310), and when it was last accessed,
 * which clients are told. Volatile.
 */
public final class LastUse {
  private long atMillis;
  private long monotonicMillis;
  private long accessedMillis;

  /** Whether it was used at all. */
  public boolean isKnown() {
    return atMillis != 0;
  }

  /** In shard time; 0 for not at all. */
  public long atMillis() {
    return atMillis;
  }

  /** On the clock by which idle time is counted; 0 for not at all. */
  long monotonicMillis() {
    return monotonicMillis;
  }

  /** When clients are told that it was accessed last, in shard time; 0 for not at all. */
  public long accessedMillis() {
    return accessedMillis;
  }

  /** Whether a later or equal use is noted already. */
  boolean isAfter(Stamp stamp) {
    return atMillis >= stamp.nowMillis() && monotonicMillis >= stamp.monotonicMillis();
  }

  /**
   * Notes a use; an earlier one changes nothing.
   *
   * @param changedMillis when the entity was last changed; an access that comes then is told as
   *     later
   */
  void note(Grant.Used used, long changedMillis) {
    atMillis = Math.max(atMillis, used.atMillis());
    monotonicMillis = Math.max(monotonicMillis, used.monotonicMillis());
    if (used.isAccess()) {
      accessedMillis = Math.max(accessedMillis, Math.max(used.atMillis(), changedMillis + 1));
    }
  }
}
