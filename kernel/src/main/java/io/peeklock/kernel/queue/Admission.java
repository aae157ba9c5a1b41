package io.peeklock.kernel.queue;

import io.peeklock.kernel.PartitionKeys;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.SendBurst;
import io.peeklock.kernel.Stamp;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of each message of a burst that comes to a queue: stored; dropped as a duplicate,
 * which the sender is not told (S-266); or refused.
 */
final class Admission {

  private static final Refusal SESSION_ID_MISSING = new Refusal.SessionIdMissing();

  /** As if the queue could never be full. */
  static final long ALL_ROOM = Long.MAX_VALUE / 4;

  private static final Refusal KEY_CONTRADICTS = new Refusal.PartitionKeyContradicts();
  private static final Refusal KEY_MISSING = new Refusal.PartitionKeyMissing();

  private final QueueState queue;
  private final SendBurst burst;
  private @Nullable Refusal @Nullable [] refusals;
  private boolean @Nullable [] stored; // null while all are
  private int storedCount;
  private @Nullable Set<MessageIdHash> seen;

  /** Two numbers that stand for a message id. */
  private record MessageIdHash(long high, long low) {}

  private Admission(QueueState queue, SendBurst burst) {
    this.queue = queue;
    this.burst = burst;
  }

  static Admission of(QueueState queue, Stamp stamp, SendBurst burst) {
    return of(queue, stamp, burst, 0);
  }

  /** With so many bytes less in the queue than there are now. */
  static Admission of(QueueState queue, Stamp stamp, SendBurst burst, long freedBytes) {
    Admission admission = new Admission(queue, burst);
    admission.judge(stamp, freedBytes);
    return admission;
  }

  private void judge(Stamp stamp, long freedBytes) {
    long max = queue.definition().maxSizeBytes();
    long bytes = // a topic's is a sum
        max == QueueDefinition.FOREVER ? 0 : queue.quotaBytes() - freedBytes;
    boolean needsSession = queue.definition().requiresSession();
    @Nullable String[] sessionIds = burst.sessionIds();
    for (int i = 0; i < burst.count(); i++) {
      if (needsSession && (sessionIds == null || sessionIds[i] == null)) {
        refuse(i, SESSION_ID_MISSING);
      } else if (contradicts(i)) {
        refuse(i, KEY_CONTRADICTS);
      } else if (lacksKey(i)) {
        refuse(i, KEY_MISSING);
      } else if (isDuplicate(i, stamp)) {
        drop(i);
      } else if (burst.sizes()[i] > max - bytes) {
        refuse(i, new Refusal.QuotaExceeded(bytes, max)); // I-08: what was there before stays
      } else {
        bytes += burst.sizes()[i];
        storedCount++;
      }
    }
  }

  /** S-370. */
  private boolean contradicts(int i) {
    PartitionKeys keys = partitionKeys();
    return keys != null && keys.contradict(i);
  }

  /** S-271. */
  private boolean lacksKey(int i) {
    PartitionKeys keys = partitionKeys();
    if (keys == null || keys.of(i) != null || queue.rememberedIds() == null) {
      return false;
    }
    long[] hashes = burst.messageIdHashes();
    return hashes == null || (hashes[2 * i] | hashes[2 * i + 1]) == 0;
  }

  private @Nullable PartitionKeys partitionKeys() {
    return queue.definition().partitioned() ? burst.partitionKeys() : null;
  }

  /** Whether the id was seen within the window, or earlier in the same burst (S-278). */
  private boolean isDuplicate(int i, Stamp stamp) {
    RememberedIds remembered = queue.rememberedIds();
    long[] hashes = burst.messageIdHashes();
    if (remembered == null || hashes == null) {
      return false;
    }
    long high = hashes[2 * i];
    long low = hashes[2 * i + 1];
    if ((high | low) == 0) {
      return false; // S-281
    }
    if (remembered.has(high, low, stamp.nowMillis())) {
      return true;
    }
    if (burst.count() == 1) {
      return false;
    }
    Set<MessageIdHash> earlier = seen == null ? new LinkedHashSet<>() : seen;
    seen = earlier;
    return !earlier.add(new MessageIdHash(high, low));
  }

  private void refuse(int i, Refusal refusal) {
    @Nullable Refusal[] all = refusals == null ? new Refusal[burst.count()] : refusals;
    all[i] = refusal;
    refusals = all;
    drop(i);
  }

  /**
   * A message that was to be stored is not.
   *
   * @param refusal null when it is dropped, which the sender is not told
   */
  void takeBack(int i, @Nullable Refusal refusal) {
    storedCount--;
    if (refusal == null) {
      drop(i);
    } else {
      refuse(i, refusal);
    }
  }

  private void drop(int i) {
    boolean[] kept = stored;
    if (kept == null) {
      kept = new boolean[burst.count()];
      Arrays.fill(kept, true);
      stored = kept;
    }
    kept[i] = false;
  }

  /** Whether there is no room for some message. */
  boolean anyTooMuch() {
    for (int i = 0; refusals != null && i < refusals.length; i++) {
      if (refusals[i] instanceof Refusal.QuotaExceeded) {
        return true;
      }
    }
    return false;
  }

  /** One entry per message, null where it was accepted; null when all were. */
  @Nullable Refusal @Nullable [] refusals() {
    return refusals;
  }

  /** Which messages are stored; null when all are. */
  boolean @Nullable [] stored() {
    return stored;
  }

  boolean stores(int i) {
    return stored == null || stored[i];
  }

  int storedCount() {
    return storedCount;
  }
}
