package io.peeklock.kernel.transaction;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an edge does for one transaction: gathers, enlists, commits. */
public final class TransactionFixture implements Transaction {

  private final ShardFixture shard;
  private final Asker asker = new Asker();
  private final List<Request.Settle> settlements = new ArrayList<>();
  private final List<Request.CancelScheduled> cancellations = new ArrayList<>();
  private final List<Request.Send> sends = new ArrayList<>();
  private final List<Request.SetSessionState> states = new ArrayList<>();

  public TransactionFixture(ShardFixture shard) {
    this.shard = shard;
  }

  /** Sends so many messages. */
  public TransactionFixture sends(QueueFixture to, int count) {
    int[] sizes = new int[count];
    Arrays.fill(sizes, QueueFixture.SIZE);
    return sends(to, sizes);
  }

  public TransactionFixture sends(QueueFixture to, int... sizes) {
    return sends(to, new SendBurst(sizes.length, sizes, new int[sizes.length], forever(sizes)));
  }

  /** Sends messages of these sizes via another entity. */
  public TransactionFixture sendsVia(QueueFixture via, QueueFixture to, int... sizes) {
    SendBurst burst = new SendBurst(sizes.length, sizes, new int[sizes.length], forever(sizes));
    sends.add(new Request.Send(asker, null, to.id, burst, true, false, via.id));
    return this;
  }

  public TransactionFixture sends(QueueFixture to, SendBurst burst) {
    sends.add(new Request.Send(asker, null, to.id, burst, true));
    return this;
  }

  public static long[] forever(int... sizes) {
    long[] all = new long[sizes.length];
    Arrays.fill(all, QueueDefinition.FOREVER);
    return all;
  }

  TransactionFixture cancels(QueueFixture in, long... numbers) {
    cancellations.add(new Request.CancelScheduled(asker, new Note(), in.id, numbers));
    return this;
  }

  TransactionFixture sets(Request.SetSessionState state) {
    states.add(state);
    return this;
  }

  public Outcome completes(QueueFixture in, Received... messages) {
    return settles(Settlement.COMPLETE, in, messages);
  }

  Outcome settles(Settlement settlement, QueueFixture in, Received... messages) {
    return settles(settlement, in.id, null, QueueFixture.ids(messages));
  }

  /** Settles one with changed properties of this size that contain those stored before. */
  public Outcome settlesChanging(
      Settlement settlement, QueueFixture in, Received message, int bytes) {
    return settles(settlement, in.id, new Overlay(bytes, 0), message.lockId());
  }

  Outcome settles(Settlement settlement, QueueId in, @Nullable Overlay overlay, long... lockIds) {
    Decision decision = shard.ask(enlist(settlement, in, overlay, lockIds));
    if (decision.effects().getFirst() instanceof Effect.Refused refused) {
      return new Outcome(refused.refusal());
    }
    Effect.Enlisted answer = ShardFixture.only(decision, Effect.Enlisted.class);
    Refusal refusal = Refusals.first(answer.refusals());
    if (refusal == null) {
      Overlay merged = overlay == null ? null : new Overlay(overlay.bytes(), answer.overlayId());
      settlements.add(settle(settlement, in, merged, false, lockIds));
    }
    return new Outcome(refusal);
  }

  TransactionRequest.Enlist enlist(
      Settlement settlement, QueueId in, @Nullable Overlay overlay, long... lockIds) {
    return new TransactionRequest.Enlist(this, settle(settlement, in, overlay, true, lockIds));
  }

  private Request.Settle settle(
      Settlement settlement,
      QueueId in,
      @Nullable Overlay overlay,
      boolean answered,
      long... lockIds) {
    return new Request.Settle(
        asker,
        answered ? new Note() : null,
        in,
        settlement,
        lockIds,
        lockIds.length,
        false,
        overlay);
  }

  public TransactionRequest.Commit commit() {
    return new TransactionRequest.Commit(
        asker, new Note(), this, settlements, cancellations, states, sends);
  }

  public Outcome commits() {
    return end(shard.ask(commit()));
  }

  public Outcome rollsBack() {
    return end(shard.ask(new TransactionRequest.Rollback(asker, new Note(), this, null)));
  }

  public static Outcome end(Decision decision) {
    return decision.effects().getFirst() instanceof Effect.Refused refused
        ? new Outcome(refused.refusal())
        : endedWell(decision);
  }

  private static Outcome endedWell(Decision decision) {
    ShardFixture.only(decision, Effect.TransactionEnded.class);
    return Outcome.DONE;
  }
}
