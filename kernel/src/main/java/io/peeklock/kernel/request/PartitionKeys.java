package io.peeklock.kernel.request;

import io.peeklock.kernel.entity.SessionIds;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys that choose the partition of each message of a burst for a partitioned entity (S-369),
 * column by column. Every entity has one partition here, but the rules about keys still hold.
 *
 * @param sessionIds of each, null without one
 * @param keys the partition key of each as it was sent, null without one
 */
public record PartitionKeys(@Nullable String[] sessionIds, @Nullable String[] keys) {

  /** The session id, else the partition key; null when a message has neither. */
  public @Nullable String of(int i) {
    return sessionIds[i] == null ? keys[i] : sessionIds[i];
  }

  /** Whether a message has both, and they differ (S-370). */
  public boolean contradict(int i) {
    return sessionIds[i] != null && keys[i] != null && !sessionIds[i].equals(keys[i]);
  }

  /** Whether two of the first {@code count} messages have different keys (S-373). */
  public boolean differ(int count) {
    for (int i = 1; i < count; i++) {
      if (!Objects.equals(compared(i), compared(0))) {
        return true;
      }
    }
    return false;
  }

  /** One session has one key, however its id is spelled (S-523). */
  private @Nullable String compared(int i) {
    String sessionId = sessionIds[i];
    return sessionId == null ? keys[i] : SessionIds.folded(sessionId);
  }
}
