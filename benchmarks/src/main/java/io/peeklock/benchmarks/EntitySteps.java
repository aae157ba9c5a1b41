package io.peeklock.benchmarks;

import static io.peeklock.benchmarks.MeasuredShard.UNNAMED;

import io.peeklock.benchmarks.MeasuredShard.Client;
import io.peeklock.benchmarks.MeasuredShard.Note;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import java.util.ArrayList;
import java.util.List;

/** Steps of a namespace with many entities. */
final class EntitySteps {
  private EntitySteps() {}

  private static List<QueueId> queues(MeasuredShard shard, StepSizes sizes) {
    var queues = new ArrayList<QueueId>();
    for (var i = 0; i < sizes.entities(); i++) {
      var definition = QueueDefinition.named("q" + i).with().lockDurationMillis(10_000);
      queues.add(shard.create(definition.autoDeleteOnIdleMillis(36_000_000).build()));
    }
    return queues;
  }

  static void many(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    shard.machine.limit(
        new NamespaceLimits(
            sizes.entities() * 2, sizes.subscriptions(), sizes.rules(), sizes.rules(), false));
    var queues = queues(shard, sizes);
    for (var i = 0; i < 200; i++) {
      shard.ask(
          "make one more queue",
          new Request.CreateQueue(shard.client, new Note(), QueueDefinition.named("more" + i)));
      shard.send(UNNAMED, queues.getFirst(), 1, 1, null, null);
      shard.passes("tick, one of many queues has something due", 10);
      shard.ask(
          "count 1,000 entities",
          new EntityRequest.CountMessages(
              shard.client, new Note(), queues.subList(0, Math.min(1_000, queues.size()))));
      shard.delete("delete one of many queues", "more" + i);
      shard.passes(UNNAMED, 0);
    }
    for (var queue : queues) {
      shard.send(UNNAMED, queue, 4);
      shard.send(UNNAMED, queue, 1, 60_000, null, null);
      shard.lock(
          "dispatch in one of many queues", shard.receiver(queue, ReceiveMode.PEEK_LOCK), 1, 0);
    }
    shard.passes("tick while locks of many queues lapse", 15_000);
    shard.passes("tick while messages of many queues expire", 60_000);
    shard.checkpoint("checkpoint of many entities", () -> {});
    shard.passes("tick while many queues are idle", 1_000);
    shard.passes("tick while many queues are idle", 40_000_000);
    shard.passes("tick while many queues are idle", 40_000_000);
  }

  static void emptying(StepLedger ledger, StepSizes sizes) {
    for (var keeps = 0; keeps < 2; keeps++) {
      var shard = new MeasuredShard(ledger);
      var queues = queues(shard, sizes);
      for (var sent = 0; sent < sizes.messages(); sent += sizes.batch()) {
        shard.send(UNNAMED, queues.getFirst(), sizes.batch());
      }
      for (var round = 0; round < 2; round++) {
        shard.ask(
            keeps == 1 ? "empty a namespace, entities stay" : "empty a namespace",
            new EntityRequest.EmptyNamespace(shard.client, new Note(), keeps == 1));
        shard.passes("tick that empties a namespace", 0);
      }
    }
  }

  static void forwards(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var full = shard.create(QueueDefinition.named("full").with().maxSizeBytes(1 << 20).build());
    shard.send(UNNAMED, full, 10_400);
    for (var i = 0; i < 100; i++) {
      shard.send(UNNAMED, full, 1);
    }
    for (var i = 0; i < sizes.entities(); i++) {
      var definition = QueueDefinition.named("q" + i).with().forwardTo("full").build();
      shard.send(UNNAMED, shard.create(definition), 1);
      shard.forwards("forward to a full queue");
    }
    for (var round = 0; round < 4; round++) {
      shard.passes("tick, many queues try to forward again", 100_000);
      shard.forwards("forward to a full queue");
    }
  }

  /** Many queues wait for room to deliver in, of which a message's worth comes at a time. */
  static void room(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    shard.machine.deliveries().bound(16 * MeasuredShard.MESSAGE_BYTES);
    var readers = new ArrayList<Client>();
    for (var queue : queues(shard, sizes)) {
      var reader = shard.receiver(queue, ReceiveMode.PEEK_LOCK);
      readers.add(reader);
      shard.wants(UNNAMED, reader, 1);
      shard.send(UNNAMED, queue, 1);
      shard.dispatches(UNNAMED);
    }
    for (var reader : readers.subList(0, sizes.entities() - 16)) {
      shard.ask(
          "a message has left, many queues wait for its room",
          new Request.Transferred(reader, MeasuredShard.MESSAGE_BYTES));
      shard.dispatches("dispatch in one of many queues that wait for room");
    }
  }
}
