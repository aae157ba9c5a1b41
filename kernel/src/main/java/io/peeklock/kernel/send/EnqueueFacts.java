package io.peeklock.kernel.send;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.QueueState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The facts about the stored messages of a burst, in their order, so that sequence numbers follow
 * it (S-406): one fact for each run of neighbours that are all active or all scheduled. In a topic
 * {@link TopicPublisher} handles the active ones; messages with too many copies for one decision
 * wait in the topic's backlog, and so do all that follow them. So do those of a large batch to a
 * queue for which each of them takes long.
 */
public final class EnqueueFacts {

  private final QueueState queue;
  private final Stamp stamp;
  private final SendBurst burst;
  private final boolean numbered; // the sender is told each message's number
  private final SendValidation validation;
  private final @Nullable TopicPublisher publisher;
  private final TransferQueues transfers;
  private long number;
  private long backlogNumber;
  private long bodyId;

  /**
   * Facts about one send.
   *
   * @param queue where the messages go, or wait
   * @param validation which of them are stored
   */
  public EnqueueFacts(
      QueueState queue,
      Stamp stamp,
      Request.Send send,
      SendValidation validation,
      TransferQueues transfers) {
    this.transfers = transfers;
    this.queue = queue;
    this.stamp = stamp;
    this.burst = send.burst();
    this.numbered = send.numbered();
    this.validation = validation;
    this.publisher =
        queue.topic() == null
            ? null
            : new TopicPublisher(
                queue, queue.topic(), stamp, send, validation, transfers.fanOutBudget());
  }

  /** Adds the facts to a draft. */
  public void add(DecisionBuilder draft, long firstBodyId) {
    number = queue.nextSequenceNumber();
    bodyId = firstBodyId;
    int from = 0;
    while (from < burst.count()) {
      int until = runFrom(from);
      boolean isScheduled = burst.isDueAfter(from, stamp.wallMillis());
      if (publisher == null && !isScheduled && waits()) {
        leave(draft, from, until);
      } else if (publisher == null || isScheduled) {
        store(draft, from, until);
      } else {
        publish(draft, publisher, from, until);
      }
      from = until;
    }
  }

  /** Whether the messages of a queue wait for others, or are too many for one decision. */
  private boolean waits() {
    return !numbered
        && !queue.isForTransfers()
        && (validation.goesToBacklog() || transfers.hasBacklog(queue));
  }

  private void store(DecisionBuilder draft, int from, int until) {
    int stored = storedIn(from, until);
    if (stored > 0) {
      long given = burst.givenNumber(from, stamp.wallMillis());
      Columns columns = new Columns(queue, from, until, stored);
      draft.add(columns.fact(given == 0 ? number : given, bodyId));
      number += given == 0 ? stored : 0;
      bodyId += stored;
    }
  }

  private void publish(DecisionBuilder draft, TopicPublisher publisher, int from, int until) {
    int left =
        validation.goesToBacklog() || transfers.hasBacklog(queue)
            ? publisher.leave(from, until)
            : publisher.publish(from, until);
    int stored = storedIn(from, left);
    if (stored > 0) {
      Columns columns = new Columns(queue, from, left, stored);
      draft.add(columns.published(publisher.copies(), number, bodyId));
      number += stored;
      bodyId += stored;
    }
    leave(draft, left, until);
  }

  /** Has messages wait in the backlog, from which they come in later decisions. */
  private void leave(DecisionBuilder draft, int from, int until) {
    int waiting = storedIn(from, until);
    if (waiting > 0 && numbered) {
      Columns columns = new Columns(queue, from, until, waiting, true);
      draft.add(columns.fact(number, bodyId)); // due already: the answer names the numbers
      number += waiting;
      bodyId += waiting;
    } else if (waiting > 0) {
      QueueState backlog = transfers.backlog(queue, draft);
      backlogNumber = Math.max(backlogNumber, backlog.nextSequenceNumber());
      draft.add(new Columns(backlog, from, until, waiting).fact(backlogNumber, bodyId));
      backlogNumber += waiting;
      bodyId += waiting;
    }
  }

  /**
   * Adds what must follow all messages of the decision.
   *
   * @param nextBodyId the id of the next body that the decision makes
   * @return the one after those
   */
  public long addRest(DecisionBuilder draft, long nextBodyId) {
    return publisher == null ? nextBodyId : publisher.addRest(draft, nextBodyId);
  }

  /**
   * The end of the run from here: all active, or all scheduled; a given number makes a run of one.
   */
  private int runFrom(int from) {
    long now = stamp.wallMillis();
    if (burst.dueAtMillis() == null) {
      return burst.count();
    }
    boolean scheduled = burst.isDueAfter(from, now);
    int until = from + 1;
    while (until < burst.count()
        && burst.isDueAfter(until, now) == scheduled
        && (burst.givenNumber(from, now) | burst.givenNumber(until, now)) == 0) {
      until++;
    }
    return until;
  }

  private int storedIn(int from, int until) {
    if (validation.stored() == null) {
      return until - from;
    }
    int stored = 0;
    for (int i = from; i < until; i++) {
      stored += validation.stores(i) ? 1 : 0;
    }
    return stored;
  }

  /** The number of each message of the burst, 0 for one that is not stored (S-276). */
  long[] numbers() {
    long[] numbers = new long[burst.count()];
    long next = queue.nextSequenceNumber();
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = validation.stores(i) ? next++ : 0;
    }
    return numbers;
  }

  /**
   * When a message expires: after the shorter of its own time to live and the queue's (S-162,
   * S-164); {@link QueueDefinition#FOREVER} for never.
   */
  public static long expiry(QueueDefinition definition, long from, long timeToLiveMillis) {
    long effective = Math.max(0, Math.min(timeToLiveMillis, definition.defaultTimeToLiveMillis()));
    return effective >= FOREVER - from ? FOREVER : from + effective;
  }

  /** The columns of a run, without the messages that are not stored. */
  private final class Columns {
    private final QueueState place;
    private final int[] sizes;
    private final int[] headerBytes;
    private final long @Nullable [] due;
    private long @Nullable [] expiries;
    private final long @Nullable [] hashes;
    private final String @Nullable [] sessionIds;

    /** For the queue itself, or for its backlog, which has no sessions and only keeps the ids. */
    Columns(QueueState place, int from, int until, int stored) {
      this(place, from, until, stored, burst.isDueAfter(from, stamp.wallMillis()));
    }

    Columns(QueueState place, int from, int until, int stored, boolean scheduled) {
      this.place = place;
      sizes = new int[stored];
      headerBytes = new int[stored];
      due = scheduled ? new long[stored] : null;
      hashes =
          queue.rememberedIds() == null || (place == queue && burst.messageIdHashes() == null)
              ? null
              : new long[2 * stored];
      sessionIds = place.definition().requiresSession() ? new String[stored] : null;
      int to = 0;
      for (int i = from; i < until; i++) {
        if (validation.stores(i)) {
          set(to, i);
          to++;
        }
      }
    }

    Fact fact(long number, long bodyId) {
      return due == null
          ? new Fact.Enqueued(
              place.id(),
              number,
              bodyId,
              stamp.nowMillis(),
              sizes,
              headerBytes,
              expiries,
              hashes,
              sessionIds)
          : new Fact.Scheduled(
              place.id(),
              number,
              bodyId,
              stamp.nowMillis(),
              sizes,
              headerBytes,
              due,
              expiries,
              hashes,
              sessionIds);
    }

    Fact published(Copies[] copies, long number, long bodyId) {
      return new Fact.Published(
          queue.id(), number, bodyId, stamp.nowMillis(), sizes, headerBytes, hashes, copies);
    }

    private void set(int to, int i) {
      sizes[to] = burst.sizes()[i];
      headerBytes[to] = burst.headerBytes()[i];
      long[] dueAt = burst.dueAtMillis();
      long active = stamp.nowMillis();
      if (due != null && dueAt != null) {
        active = Math.max(dueAt[i], stamp.wallMillis());
        due[to] = active;
      }
      setExpiry(to, expiry(queue.definition(), active, burst.timeToLiveMillis()[i]));
      long[] ids = burst.messageIdHashes();
      if (hashes != null && ids != null) {
        hashes[2 * to] = ids[2 * i];
        hashes[2 * to + 1] = ids[2 * i + 1];
      }
      @Nullable String[] sessions = burst.sessionIds();
      if (sessionIds != null && sessions != null) {
        sessionIds[to] = Invariant.present(sessions[i], "what is stored here has a session");
      }
    }

    private void setExpiry(int to, long expiry) {
      if (expiry != FOREVER) {
        long[] all = expiries;
        if (all == null) {
          all = new long[sizes.length];
          Arrays.fill(all, FOREVER);
          expiries = all;
        }
        all[to] = expiry;
      }
    }
  }
}
