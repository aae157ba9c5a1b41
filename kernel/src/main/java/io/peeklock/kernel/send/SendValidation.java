package io.peeklock.kernel.send;

import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.IdsOfBurst;
import io.peeklock.kernel.columns.WaitingIds;
import io.peeklock.kernel.decide.EntityShare;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.PartitionKeys;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Validates each message of a burst: it is stored, dropped as a duplicate, which the sender does
 * not notice (S-266), or refused.
 */
public final class SendValidation {

  private static final Refusal SESSION_ID_MISSING = new Refusal.SessionIdMissing();

  /** From this many ids on it pays to prefetch the remembered ones. */
  private static final int MANY = 64;

  /**
   * The most messages of a batch of which each may be looked for among remembered ids, or among
   * sessions: more take longer than a decision may. What is no batch comes in no larger bursts.
   */
  static final int MOST_AT_ONCE = 4_096;

  private static final long ALL_ROOM = Long.MAX_VALUE / 4;

  private static final Refusal KEY_CONTRADICTS = new Refusal.PartitionKeyContradicts();
  private static final Refusal KEY_MISSING = new Refusal.PartitionKeyMissing();
  private static final Refusal IDS_ARE_WAITING = new Refusal.EarlierIdsAreWaiting();

  private final QueueState queue;
  private final SendBurst burst;
  private final boolean goesToBacklog;
  private final boolean numbered;
  private final @Nullable WaitingIds waitingIds; // of others that wait to arrive
  private @Nullable Refusal @Nullable [] refusals;
  private boolean @Nullable [] stored; // null while all are
  private int storedCount;
  private @Nullable IdsOfBurst idsOfBurst;
  private int @Nullable [] nextOfSameId; // 0 for none; null while all ids differ
  private long bytes;

  private SendValidation(
      QueueState queue,
      SendBurst burst,
      boolean numbered,
      boolean goesToBacklog,
      @Nullable WaitingIds waitingIds) {
    this.queue = queue;
    this.burst = burst;
    this.numbered = numbered;
    this.goesToBacklog = goesToBacklog;
    this.waitingIds = waitingIds;
  }

  /** Validates a send against the queue as it is. */
  static SendValidation of(MachineState state, QueueState queue, Stamp stamp, Request.Send send) {
    SendValidation validation =
        new SendValidation(
            queue,
            send.burst(),
            send.numbered(),
            send.atomic() && !send.numbered() && isTooMuchAtOnce(queue, send.burst()),
            TransferQueues.waitingIds(queue));
    validation.judge(stamp, 0, FairShare.of(state, queue, FairShare.OF_SENDS));
    return validation;
  }

  private static boolean isTooMuchAtOnce(QueueState queue, SendBurst burst) {
    return burst.count() > MOST_AT_ONCE
        && (queue.rememberedIds() != null || queue.sessions() != null);
  }

  /**
   * Why a send is more than one decision may do; null when it is not. A large batch waits in the
   * backlog, but not what is scheduled, which must not be active before its time, nor what is told
   * its numbers.
   */
  static @Nullable Refusal tooMuch(QueueState queue, Stamp stamp, Request.Send send) {
    return (send.atomic() || send.numbered())
            && isTooMuchAtOnce(queue, send.burst())
            && (send.numbered() || hasScheduled(send.burst(), stamp))
        ? new Refusal.TooManyScheduledAtOnce(MOST_AT_ONCE)
        : null;
  }

  private static boolean hasScheduled(SendBurst burst, Stamp stamp) {
    for (int i = 0; i < burst.count(); i++) {
      if (burst.isDueAfter(i, stamp.wallMillis())) {
        return true;
      }
    }
    return false;
  }

  /** Validates a burst as if the queue held {@code freedBytes} less. */
  public static SendValidation of(
      MachineState state, QueueState queue, Stamp stamp, SendBurst burst, long freedBytes) {
    SendValidation validation =
        new SendValidation(queue, burst, false, false, TransferQueues.waitingIds(queue));
    validation.judge(stamp, freedBytes, FairShare.of(state, queue, FairShare.OF_SENDS));
    return validation;
  }

  /**
   * Validates a burst without the quota, for messages that wait elsewhere; the ids of many are
   * compared only when they arrive.
   */
  public static SendValidation withAllRoom(QueueState queue, Stamp stamp, SendBurst burst) {
    SendValidation validation =
        new SendValidation(queue, burst, false, isTooMuchAtOnce(queue, burst), null);
    validation.judge(stamp, ALL_ROOM, null);
    return validation;
  }

  /**
   * Whether all messages that are stored wait in a backlog, from which they arrive in later
   * decisions: then it is found out there whether their ids were seen before.
   */
  boolean goesToBacklog() {
    return goesToBacklog;
  }

  private void judge(Stamp stamp, long freedBytes, @Nullable EntityShare share) {
    prefetch();
    long max = queue.definition().maxSizeBytes();
    bytes =
        max == QueueDefinition.FOREVER ? 0 : queue.quotaBytes() - freedBytes; // a topic's: a sum
    boolean needsSession = queue.definition().requiresSession();
    for (int i = 0; i < burst.count(); i++) {
      Refusal overShare = share == null ? null : share.refusal(burst, i);
      boolean fits = overShare == null && burst.sizes()[i] <= max - bytes;
      Refusal wrong = needsSession && lacksSession(i) ? SESSION_ID_MISSING : wrongId(i, stamp);
      if (wrong != null) {
        refuse(i, wrong);
      } else if (isDuplicate(i, stamp, fits)) {
        drop(i);
      } else if (overShare != null) {
        refuse(i, overShare);
      } else if (!fits) {
        refuse(i, new Refusal.QuotaExceeded(bytes, max)); // I-08: earlier messages stay
      } else {
        bytes += burst.sizes()[i];
        storedCount++;
        if (share != null) {
          share.take(burst, i);
        }
      }
    }
  }

  private void prefetch() {
    DuplicateDetectionHistory remembered = queue.rememberedIds();
    long[] hashes = burst.messageIdHashes();
    if (remembered != null && hashes != null && burst.count() >= MANY && !goesToBacklog) {
      remembered.prefetch(hashes);
    }
  }

  private boolean lacksSession(int i) {
    @Nullable String[] sessionIds = burst.sessionIds();
    return sessionIds == null || sessionIds[i] == null;
  }

  private @Nullable Refusal wrongId(int i, Stamp stamp) {
    Refusal wrong = wrongKey(i);
    return wrong == null && mayOvertakeItsId(i, stamp) ? IDS_ARE_WAITING : wrong;
  }

  private @Nullable Refusal wrongKey(int i) {
    return contradicts(i) ? KEY_CONTRADICTS : lacksKey(i) ? KEY_MISSING : null;
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

  /**
   * Whether the id was seen within the window, or earlier in the same burst (S-278). In the burst
   * only the id of a stored message counts; otherwise both messages would be lost, one of them
   * silently (I-01).
   */
  private boolean isDuplicate(int i, Stamp stamp, boolean fits) {
    DuplicateDetectionHistory remembered = queue.rememberedIds();
    long[] hashes = burst.messageIdHashes();
    if (remembered == null || hashes == null || goesToBacklog) {
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
    IdsOfBurst ids = idsOfBurst == null ? new IdsOfBurst(hashes) : idsOfBurst;
    idsOfBurst = ids;
    int earlier = ids.add(i, fits);
    if (earlier == IdsOfBurst.NONE) {
      return false;
    }
    int[] next = nextOfSameId == null ? new int[burst.count()] : nextOfSameId;
    nextOfSameId = next;
    next[earlier] = i;
    return true;
  }

  /** Whether it is stored before others that wait to arrive, one of which may have its id. */
  private boolean mayOvertakeItsId(int i, Stamp stamp) {
    long[] hashes = burst.messageIdHashes();
    return waitingIds != null
        && hashes != null
        && (numbered || burst.isDueAfter(i, stamp.wallMillis()))
        && waitingIds.mayHave(hashes[2 * i], hashes[2 * i + 1]);
  }

  private void refuse(int i, Refusal refusal) {
    @Nullable Refusal[] all = refusals == null ? new Refusal[burst.count()] : refusals;
    all[i] = refusal;
    refusals = all;
    drop(i);
  }

  /**
   * Takes back a message that was accepted so far.
   *
   * @param refusal null when it is dropped, which the sender does not notice
   */
  void takeBack(int i, @Nullable Refusal refusal) {
    storedCount--;
    if (refusal == null) {
      drop(i);
    } else {
      refuse(i, refusal);
      bytes -= burst.sizes()[i];
      admitNextOfSameId(i);
    }
  }

  /**
   * Accepts the next message with the same id, which was dropped as a duplicate of one that is
   * refused after all.
   */
  private void admitNextOfSameId(int refused) {
    long max = queue.definition().maxSizeBytes();
    boolean[] kept = stored;
    int[] next = nextOfSameId;
    int i = next == null ? 0 : next[refused];
    while (next != null && kept != null && i != 0) {
      if (burst.sizes()[i] <= max - bytes) {
        bytes += burst.sizes()[i];
        storedCount++;
        kept[i] = true;
        return;
      }
      refuse(i, new Refusal.QuotaExceeded(bytes, max));
      i = next[i];
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

  /** Whether some message does not fit. */
  boolean anyTooMuch() {
    for (int i = 0; refusals != null && i < refusals.length; i++) {
      if (refusals[i] instanceof Refusal.QuotaExceeded
          || refusals[i] instanceof Refusal.MemoryShareExceeded) {
        return true;
      }
    }
    return false;
  }

  /** One entry per message, null where it was accepted; null when all were. */
  public @Nullable Refusal @Nullable [] refusals() {
    return refusals;
  }

  /** Which messages are stored; null when all are. */
  boolean @Nullable [] stored() {
    return stored;
  }

  /** Whether message {@code i} is stored. */
  public boolean stores(int i) {
    return stored == null || stored[i];
  }

  int storedCount() {
    return storedCount;
  }
}
