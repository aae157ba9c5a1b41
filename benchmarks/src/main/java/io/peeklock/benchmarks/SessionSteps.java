package io.peeklock.benchmarks;

import static io.peeklock.benchmarks.MeasuredShard.UNNAMED;

import io.peeklock.benchmarks.MeasuredShard.Client;
import io.peeklock.benchmarks.MeasuredShard.Note;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps at a queue with sessions. */
final class SessionSteps {
  private static final int ROUNDS = 200;

  private SessionSteps() {}

  private static QueueDefinition definition() {
    return QueueDefinition.named("s").withSession(true);
  }

  private static Request accept(Client client, QueueId queue, @Nullable String id) {
    return new Request.AcceptSession(
        client, new Note(), queue, id, ReceiveMode.PEEK_LOCK, 3_600_000);
  }

  private static Request list(MeasuredShard shard, QueueId queue, long after, int skip) {
    return new Request.ListSessions(shard.client, new Note(), queue, after, skip, 100, 0);
  }

  static void crowded(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var queue = shard.create(definition());
    var next = 0;
    for (var sent = 0; sent < sizes.messages(); sent += sizes.batch()) {
      var ids = new String[sizes.batch()];
      for (var i = 0; i < ids.length; i++) {
        ids[i] = "session-" + (next++ % sizes.sessions());
      }
      shard.send(
          "send a batch to many sessions", queue, ids.length, QueueDefinition.FOREVER, null, ids);
    }
    reads(shard, queue, sizes);
    var holders = new ArrayList<Client>();
    for (var i = 0; i < sizes.sessions(); i++) {
      var holder = new Client();
      holders.add(holder);
      shard.ask("accept any of many sessions", accept(holder, queue, null));
      if (i % 10 == 0) {
        shard.wants(UNNAMED, holder, 5);
        shard.dispatches("dispatch to a session");
        shard.ask(
            "set the state of a session",
            new Request.SetSessionState(holder, new Note(), queue, "session-" + i, holder, 10));
      }
    }
    for (var i = 0; i < 20; i++) {
      shard.ask("list sessions, no state is new enough", list(shard, queue, Long.MAX_VALUE - 1, 0));
      shard.ask(
          "delete messages, all sessions are held",
          new EntityRequest.DeleteMessages(
              shard.client, new Note(), queue, 4_000, Long.MAX_VALUE, null, null));
    }
    shard.checkpoint("checkpoint of many sessions", () -> {});
    for (var holder : holders.subList(0, sizes.sessions() / 10)) {
      shard.ask("give a session back", new Request.CloseReceiver(holder));
    }
    shard.passes("tick while locks of many sessions lapse", 70_000);
    shard.delete("delete a full queue with sessions", "s");
    shard.passes("tick that empties a deleted queue with sessions", 0);
  }

  /** Batches each of whose messages begins a session, until there are as many as there may be. */
  static void begun(StepLedger ledger, StepSizes sizes) {
    for (var round = 0; round < 20; round++) {
      var shard = new MeasuredShard(ledger);
      var queue = shard.create(definition());
      for (var next = 0; next < sizes.sessions(); next += sizes.batch()) {
        var ids = new String[sizes.batch()];
        for (var i = 0; i < ids.length; i++) {
          ids[i] = "session-" + (next + i);
        }
        shard.send(
            "send a batch to new sessions", queue, ids.length, QueueDefinition.FOREVER, null, ids);
      }
    }
  }

  private static void reads(MeasuredShard shard, QueueId queue, StepSizes sizes) {
    for (var i = 0; i < ROUNDS; i++) {
      shard.ask(
          "peek a session",
          new Request.Peek(
              shard.client, new Note(), queue, 0, 512, Long.MAX_VALUE, "session-" + i));
      shard.ask("list sessions, the first", list(shard, queue, Long.MAX_VALUE, 0));
      shard.ask("list sessions, the last", list(shard, queue, Long.MAX_VALUE, sizes.sessions()));
    }
  }

  static void acceptors(StepLedger ledger, StepSizes sizes) {
    for (var round = 0; round < 3; round++) {
      var shard = new MeasuredShard(ledger);
      var queue = shard.create(definition());
      await(shard, queue, sizes);
      for (var i = 0; i < ROUNDS; i++) {
        shard.send(
            "send while many wait for a session",
            queue,
            1,
            QueueDefinition.FOREVER,
            null,
            new String[] {"new-" + i});
        shard.dispatches("give a session to one of many who wait");
      }
      shard.passes("tick while those who wait are told so", 4_000_000);
      await(shard, queue, sizes);
      var disabled = definition().with().status(EntityStatus.DISABLED).build();
      shard.update("disable a queue while many wait", disabled);
      shard.passes("tick that sends them away", 0);
      shard.update(UNNAMED, definition());
      await(shard, queue, sizes);
      shard.delete("delete a queue while many wait", "s");
      shard.passes("tick that sends those away", 0);
    }
  }

  private static void await(MeasuredShard shard, QueueId queue, StepSizes sizes) {
    for (var i = 0; i < sizes.acceptors(); i++) {
      shard.ask("wait for a session", accept(new Client(), queue, null));
      shard.dispatches(UNNAMED);
    }
  }

  static void lost(StepLedger ledger, StepSizes sizes) {
    for (var round = 0; round < 4; round++) {
      var shard = new MeasuredShard(ledger);
      var queue = shard.create(definition());
      var ids = new String[sizes.batch()];
      Arrays.fill(ids, "one");
      for (var sent = 0; sent < sizes.locks(); sent += ids.length) {
        shard.send(
            "send a batch to one session", queue, ids.length, QueueDefinition.FOREVER, null, ids);
      }
      var holder = new Client();
      shard.ask(UNNAMED, accept(holder, queue, "one"));
      shard.dispatches(UNNAMED);
      shard.lock("dispatch to one session", holder, sizes.locks(), 0);
      if (round % 2 == 0) {
        shard.ask("give back a session with many locks", new Request.CloseReceiver(holder));
      }
      shard.passes("tick while a session with many locks ends", 70_000);
    }
  }

  static void receivers(StepLedger ledger, StepSizes sizes) {
    for (var round = 0; round < 3; round++) {
      var shard = new MeasuredShard(ledger);
      var plain = QueueDefinition.named("s");
      var queue = shard.create(plain);
      var all = receivers(shard, queue, sizes);
      for (var i = 0; i < 20; i++) {
        shard.send(UNNAMED, queue, 1);
        shard.dispatches("dispatch to one of many receivers");
      }
      all.forEach(one -> shard.ask("one of many receivers leaves", new Request.CloseReceiver(one)));
      receivers(shard, queue, sizes);
      shard.update(
          "disable a queue with many receivers",
          plain.with().status(EntityStatus.DISABLED).build());
      shard.passes("tick that sends receivers away", 0);
      shard.update(UNNAMED, plain);
      receivers(shard, queue, sizes);
      shard.delete("delete a queue with many receivers", "s");
      shard.passes("tick that sends receivers away", 0);
    }
  }

  private static List<Client> receivers(MeasuredShard shard, QueueId queue, StepSizes sizes) {
    var all = new ArrayList<Client>();
    for (var i = 0; i < sizes.acceptors(); i++) {
      var one = shard.receiver(queue, ReceiveMode.PEEK_LOCK);
      shard.wants(UNNAMED, one, 1_000_000);
      all.add(one);
    }
    return all;
  }
}
