package io.peeklock.kernel.state;

import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Stamp;

/** When an entity was last used since the start (S-308 to S-310). Volatile. */
public final class LastUse {
  private long atMillis;
  private long monotonicMillis;

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

  /** Whether a later or equal use is noted already. */
  public boolean isAfter(Stamp stamp) {
    return atMillis >= stamp.nowMillis() && monotonicMillis >= stamp.monotonicMillis();
  }

  /** Notes a use; an earlier one changes nothing. */
  public void note(Grant.Used used) {
    atMillis = Math.max(atMillis, used.atMillis());
    monotonicMillis = Math.max(monotonicMillis, used.monotonicMillis());
  }
}
