package io.peeklock.simulator.model;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a copy of a message may stand in its place.
 *
 * @param count failed attempts
 * @param properties application properties
 * @param deferred the state to which it returns when a lock on it ends (S-212)
 * @param lockId 0 when it is not locked
 * @param until when that lock lapses; of no meaning in a session (S-245)
 * @param holder the receiver whose session covers the lock; null without sessions
 * @param reserved the open transaction that settles it; null for none (S-383)
 */
record Situation(
    Kind kind,
    int count,
    Map<String, Object> properties,
    boolean deferred,
    long lockId,
    long until,
    @Nullable String holder,
    @Nullable String reserved) {

  /** Application property that says why a message is a dead letter (S-188). */
  static final String REASON = "DeadLetterReason";

  /** A reason that the semantics does not fix. */
  static final String ANY_REASON = "any reason";

  private static final String DESCRIPTION = "DeadLetterErrorDescription";

  static final Situation GONE = new Situation(Kind.AWAY, 0, Map.of(), false, 0, 0, null, null);

  /** Where it stands. */
  enum Kind {
    /** Never came, or is gone for good. */
    AWAY,
    /** A subscription's copy that is on its way, in the topic's order. */
    COMING,
    SCHEDULED,
    HERE
  }

  static Situation of(Kind kind, Map<String, Object> properties) {
    Map<String, Object> own = Collections.unmodifiableMap(new HashMap<>(properties));
    return new Situation(kind, 0, own, false, 0, 0, null, null);
  }

  boolean here() {
    return kind == Kind.HERE;
  }

  /** A receiver may get it. */
  boolean available() {
    return here() && lockId == 0 && !deferred;
  }

  Situation as(Kind other) {
    return new Situation(other, count, properties, deferred, lockId, until, holder, reserved);
  }

  Situation locked(long id, long untilMillis, @Nullable String holding) {
    return new Situation(kind, count, properties, deferred, id, untilMillis, holding, null);
  }

  Situation renewed(long untilMillis) {
    return new Situation(kind, count, properties, deferred, lockId, untilMillis, holder, reserved);
  }

  Situation unlocked(int newCount) {
    return new Situation(kind, newCount, properties, deferred, 0, 0, null, null);
  }

  Situation reserved(@Nullable String transaction) {
    return new Situation(kind, count, properties, deferred, lockId, until, holder, transaction);
  }

  Situation withDeferred() {
    return new Situation(kind, count, properties, true, lockId, until, holder, reserved);
  }

  /** Some properties replaced or added. */
  Situation merged(Map<String, Object> changed) {
    Map<String, Object> all = new HashMap<>(properties);
    all.putAll(changed);
    return new Situation(
        kind, count, Collections.unmodifiableMap(all), deferred, lockId, until, holder, reserved);
  }

  /** Whether these properties are the ones seen; the text that describes a reason is free. */
  boolean shows(Map<String, Object> seen) {
    Map<String, Object> mine = new HashMap<>(properties);
    Map<String, Object> theirs = new HashMap<>(seen);
    if (mine.containsKey(REASON) && !theirs.equals(mine)) {
      theirs.remove(DESCRIPTION);
      mine.remove(DESCRIPTION);
    }
    if (ANY_REASON.equals(mine.get(REASON))) {
      mine.remove(REASON);
      theirs.remove(REASON);
    }
    return mine.equals(theirs);
  }
}
