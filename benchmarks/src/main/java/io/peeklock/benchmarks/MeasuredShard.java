package io.peeklock.benchmarks;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine whose steps are written into a ledger: each is decided and applied, as a shard does.
 */
final class MeasuredShard {
  /** Not worth a line. */
  static final String UNNAMED = "";

  /** Each message has so many. */
  static final int MESSAGE_BYTES = 100;

  private static final FetchedBodies ALL_ALIKE =
      (bodyId, overlayId, cause) -> PlainMessage.INSTANCE;

  final Machine machine = new Machine();
  private final StepLedger ledger;
  long nowMillis = 1_767_225_600_000L;
  private long index;

  /** Somebody who asks. */
  static final class Client implements Origin {}

  /** Notes nothing. */
  static final class Note implements Ticket {}

  final Client client = new Client();

  MeasuredShard(StepLedger ledger) {
    this.ledger = ledger;
  }

  private Stamp stamp() {
    return new Stamp(nowMillis, nowMillis, index + 1);
  }

  /** One request, decided and applied. */
  Decision ask(String kind, Request request) {
    nowMillis++;
    return run(kind, () -> machine.decide(stamp(), request));
  }

  /** What time wants, until it wants no more. */
  void passes(String kind, long millis) {
    nowMillis += millis;
    for (var i = 0; machine.nextTickMillis(stamp()) <= 0; i++) {
      run(kind, () -> machine.tick(stamp(), ALL_ALIKE));
      if (i > 1_000_000) {
        throw new IllegalStateException("ticks do not come to an end: " + kind);
      }
    }
  }

  void dispatches(String kind) {
    while (machine.wantsDispatch()) {
      run(kind, () -> machine.dispatch(stamp()));
    }
  }

  void forwards(String kind) {
    while (machine.wantsForward()) {
      run(kind, () -> machine.forward(stamp(), ALL_ALIKE));
    }
  }

  /** What a checkpoint wants of the shard. */
  void checkpoint(String kind, Runnable between) {
    ledger.begin();
    var snapshot = machine.beginSnapshot();
    ledger.end(kind + ": begin", 1);
    var more = true;
    while (more) {
      ledger.begin();
      var part = snapshot.next();
      ledger.end(kind + ": part", part.size());
      more = !part.isEmpty();
      between.run();
    }
    ledger.begin();
    snapshot.end();
    ledger.end(kind + ": end", 1);
  }

  private Decision run(String kind, Supplier<Decision> step) {
    ledger.begin();
    var decision = step.get();
    index++;
    for (var fact : decision.facts()) {
      machine.apply(index, fact);
    }
    for (var grant : decision.grants()) {
      machine.apply(grant);
    }
    var dead = machine.takeDeadBodies().length;
    if (!kind.equals(UNNAMED)) {
      ledger.end(kind, Math.max(dead, StepLedger.rows(decision)));
    }
    return decision;
  }

  // ---- requests

  QueueId create(QueueDefinition definition) {
    var decision = ask(UNNAMED, new Request.CreateQueue(client, new Note(), definition));
    if (decision.effects().getFirst() instanceof Effect.QueueReady ready) {
      return ready.queue();
    }
    throw new IllegalStateException("was refused: " + decision.effects());
  }

  void update(String kind, QueueDefinition definition) {
    ask(kind, new EntityRequest.UpdateQueue(client, new Note(), definition));
  }

  void delete(String kind, String path) {
    ask(kind, new EntityRequest.DeleteQueue(client, new Note(), path));
  }

  void send(String kind, QueueId queue, int count) {
    send(kind, queue, count, QueueDefinition.FOREVER, null, null);
  }

  void send(
      String kind,
      QueueId queue,
      int count,
      long liveMillis,
      long @Nullable [] due,
      String @Nullable [] sessions) {
    var lives = new long[count];
    Arrays.fill(lives, liveMillis);
    send(kind, queue, burst(count, lives, due, null, sessions));
  }

  void send(String kind, QueueId queue, SendBurst burst) {
    ask(kind, new Request.Send(client, new Note(), queue, burst, true));
  }

  static SendBurst burst(
      int count,
      long[] lives,
      long @Nullable [] due,
      long @Nullable [] hashes,
      String @Nullable [] sessions) {
    var sizes = new int[count];
    Arrays.fill(sizes, MESSAGE_BYTES);
    return new SendBurst(
        count, sizes, new int[count], lives, due, hashes, sessions, i -> PlainMessage.INSTANCE);
  }

  Client receiver(QueueId queue, ReceiveMode mode) {
    var receiver = new Client();
    ask(UNNAMED, new Request.OpenReceiver(receiver, queue, mode));
    return receiver;
  }

  void wants(String kind, Origin receiver, long limit) {
    ask(kind, new Request.Flow(receiver, limit, false));
  }

  /** Takes this many locks, and gives the receiver its bytes back so that it can go on. */
  long[] lock(String kind, Client receiver, int count, long limitBefore) {
    var ids = new long[count];
    var taken = 0;
    wants(UNNAMED, receiver, limitBefore + count);
    while (machine.wantsDispatch()) {
      var decision = run(kind, () -> machine.dispatch(stamp()));
      for (var effect : decision.effects()) {
        if (effect instanceof Effect.Delivered delivered) {
          var some = delivered.messages().lockIds();
          var number = delivered.messages().count();
          if (some != null) {
            System.arraycopy(some, 0, ids, taken, some.length);
          }
          taken += number;
          ask(UNNAMED, new Request.Transferred(receiver, (long) number * MESSAGE_BYTES));
        }
      }
    }
    return Arrays.copyOf(ids, taken);
  }

  void settle(String kind, QueueId queue, Settlement settlement, long[] lockIds) {
    ask(
        kind,
        new Request.Settle(
            client, new Note(), queue, settlement, lockIds, lockIds.length, false, null));
  }
}
