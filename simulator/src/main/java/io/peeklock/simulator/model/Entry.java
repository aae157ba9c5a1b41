package io.peeklock.simulator.model;

import io.peeklock.simulator.history.SentMessage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that enters an entity.
 *
 * @param firstTick it came no earlier
 * @param lastTick and no later; {@link Long#MAX_VALUE} when nobody knows
 * @param origin where it was before; null when it is sent
 * @param scheduled it is to become active later
 * @param checksIds it may be a duplicate
 * @param doubt true when it came at all; null when that is certain
 */
record Entry(
    SentMessage sent,
    Map<String, Object> properties,
    long firstTick,
    long lastTick,
    long fromMillis,
    long toMillis,
    int fewestHops,
    int mostHops,
    @Nullable String source,
    @Nullable Copy origin,
    boolean scheduled,
    boolean checksIds,
    @Nullable Doubt doubt) {

  /** What a client sends. */
  static Entry sent(
      SentMessage sent, Asked asked, long tick, long lastTick, long now, @Nullable Doubt doubt) {
    long from = asked.atMillis();
    boolean later = sent.dueAtMillis() > from;
    return new Entry(
        sent, sent.properties(), tick, lastTick, from, now, 0, 0, null, null, later, true, doubt);
  }
}
