package io.peeklock.kernel.schedule;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.send.FanOut;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;
import io.peeklock.kernel.state.TopicState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Makes due scheduled messages active at the end of their queue, never too early (S-151, S-152).
 * Within one slice the earliest due comes first.
 */
public final class ScheduledActivationHandler {

  /** The most messages whose bodies are read for one decision. */
  private static final int MAX_READ = 64;

  /** How long a topic's messages wait when there is no room for copies. */
  private static final long WAIT_MILLIS = 1_000;

  private ScheduledActivationHandler() {}

  private record Due(long atMillis, long number) {}

  /** Activates at most {@code most} messages, and returns how much work that was. */
  public static int decide(QueueState queue, Stamp stamp, int most, DecisionBuilder draft) {
    ScheduledMessages scheduled = queue.scheduled();
    if (scheduled.dueBound() > stamp.wallMillis()) {
      return 0;
    }
    LongList looked = new LongList();
    long[] numbers = due(scheduled, stamp, most, looked);
    if (numbers.length > 0) {
      draft.add(
          new Fact.Activated(queue.id(), numbers, queue.nextSequenceNumber(), stamp.nowMillis()));
      draft.add(new Grant.Used(queue.id(), stamp)); // S-308: activation counts as use
    }
    draft.add(new Grant.ScheduleSwept(queue.id(), looked.toArray()));
    return numbers.length + looked.size();
  }

  /**
   * Activates at most {@code most} messages of a topic (S-156), or asks for their bodies, and
   * returns how much work that was.
   *
   * @param transfers of the tick
   */
  public static int decide(
      MachineState state,
      QueueState queue,
      TopicState topic,
      Stamp stamp,
      int most,
      TickContext tick,
      TransferQueues transfers) {
    ScheduledMessages scheduled = queue.scheduled();
    if (queue.dueBound() > stamp.wallMillis()) {
      return 0;
    }
    LongList looked = new LongList();
    long[] numbers = due(scheduled, stamp, Math.min(most, MAX_READ), looked);
    tick.draft().add(new Grant.ScheduleSwept(queue.id(), looked.toArray())); // a wait comes behind
    WaitReason reason =
        numbers.length == 0 ? null : FairShare.copiesWait(state, queue, topic.mayChangeCopies());
    if (reason != null) {
      tick.waits(queue, reason, WAIT_MILLIS);
    } else if (activate(state, queue, topic, stamp, numbers, tick, transfers)
        && queue.delay != null) {
      tick.draft().add(new Grant.WentOn(queue.id()));
    }
    return numbers.length + looked.size();
  }

  /** Whether any of these messages went on, or there are none. */
  private static boolean activate(
      MachineState state,
      QueueState queue,
      TopicState topic,
      Stamp stamp,
      long[] numbers,
      TickContext tick,
      TransferQueues transfers) {
    if (numbers.length == 0) {
      return true;
    }
    if (transfers.mustWait(queue, topic)) {
      leave(queue, stamp, numbers, tick, transfers);
      return true;
    }
    long[] ready = topic.looksAtMessages() ? tick.readable(queue, numbers) : numbers;
    if (ready.length > 0 && publish(state, queue, topic, stamp, ready, tick) == 0) {
      leave(queue, stamp, ready, tick, transfers);
    }
    return ready.length > 0;
  }

  /** Activates messages into the topic's backlog, where they wait for copies. */
  private static void leave(
      QueueState queue, Stamp stamp, long[] numbers, TickContext tick, TransferQueues transfers) {
    QueueState backlog = transfers.backlog(queue, tick.draft());
    tick.draft()
        .add(
            new ForwardFact.ActivatedInBacklog(
                queue.id(),
                numbers,
                queue.nextSequenceNumber(),
                backlog.id(),
                backlog.nextSequenceNumber(),
                stamp.nowMillis()));
    tick.draft().add(new Grant.Used(queue.id(), stamp)); // S-309
  }

  /**
   * Publishes as many as one decision may copy, at least the first unless it is copied in parts,
   * and returns how many.
   */
  private static int publish(
      MachineState state,
      QueueState queue,
      TopicState topic,
      Stamp stamp,
      long[] numbers,
      TickContext tick) {
    ScheduledMessages scheduled = queue.scheduled();
    if (topic.looksAtMessages()) {
      tick.used();
    }
    FanOut fanOut = new FanOut(queue, topic, stamp, tick.fanOutBudget());
    int count = 0;
    FanOut.Result result = FanOut.Result.COPIED;
    while (count < numbers.length && !fanOut.isFull() && result != FanOut.Result.WIDE) {
      long place = scheduled.find(numbers[count]);
      Chunk chunk = scheduled.chunk(place);
      int row = Place.row(place);
      result =
          fanOut.add(
              count,
              topic.looksAtMessages() ? tick.source(chunk.bodyId(row)) : null,
              ScheduledMessages.expiresAtMillis(chunk, row, stamp.nowMillis()));
      count += result == FanOut.Result.WIDE ? 0 : 1;
    }
    if (count == 0) {
      return 0;
    }
    tick.draft()
        .add(
            new Fact.ScheduledPublished(
                queue.id(),
                Arrays.copyOf(numbers, count),
                queue.nextSequenceNumber(),
                stamp.nowMillis(),
                fanOut.take(count)));
    fanOut.addChanges(tick.draft(), tick.nextBodyId(state));
    tick.draft().add(new Grant.Used(queue.id(), stamp)); // S-309
    return count;
  }

  /** The numbers of the due messages, earliest due first. */
  private static long[] due(ScheduledMessages scheduled, Stamp stamp, int most, LongList looked) {
    List<Due> due = new ArrayList<>();
    ChunkDirectory chunks = scheduled.chunks();
    for (int i = 0; i < chunks.size() && due.size() < most; i++) {
      if (chunks.expiryBound(i) <= stamp.wallMillis()) {
        collect(chunks.chunk(i), stamp.wallMillis(), most, due);
        looked.add(chunks.firstNumber(i));
        if (looked.size() >= Math.min(most, TickContext.MAX_CHUNKS)) {
          break;
        }
      }
    }
    due.sort(Comparator.comparingLong(Due::atMillis).thenComparingLong(Due::number));
    return due.stream().mapToLong(Due::number).toArray();
  }

  private static void collect(Chunk chunk, long now, int most, List<Due> due) {
    for (int row = 0; row < chunk.rows() && due.size() < most; row++) {
      if (chunk.isPresent(row) && ScheduledMessages.dueAtMillis(chunk, row) <= now) {
        due.add(new Due(ScheduledMessages.dueAtMillis(chunk, row), chunk.number(row)));
      }
    }
  }
}
