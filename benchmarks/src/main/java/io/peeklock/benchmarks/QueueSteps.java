package io.peeklock.benchmarks;

import static io.peeklock.benchmarks.MeasuredShard.UNNAMED;

import io.peeklock.benchmarks.MeasuredShard.Note;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import java.util.Arrays;

/** Steps at a queue without sessions. */
final class QueueSteps {
  private static final int ROUNDS = 200;
  private static final int MOST_ITEMS = 10_000;
  private static final int MOST_RENEWED = 4_096;

  private QueueSteps() {}

  static void crowded(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var queue = shard.create(QueueDefinition.named("q"));
    for (var sent = 0; sent < sizes.messages(); sent += sizes.batch()) {
      shard.send("send a batch", queue, sizes.batch());
    }
    for (var i = 0; i < ROUNDS; i++) {
      shard.send("send one message", queue, 1);
      long from = (long) i * sizes.messages() / ROUNDS;
      shard.ask(
          "peek 512 of a queue",
          new Request.Peek(shard.client, new Note(), queue, from, 512, Long.MAX_VALUE));
    }
    var receiver = shard.receiver(queue, ReceiveMode.PEEK_LOCK);
    for (var i = 0; i < ROUNDS / 4; i++) {
      var ids = shard.lock("dispatch", receiver, 2_048, i * 2_048L);
      shard.settle("complete 2,048 locks", queue, Settlement.COMPLETE, ids);
    }
    var deleting = shard.receiver(queue, ReceiveMode.RECEIVE_AND_DELETE);
    shard.lock("dispatch, receive and delete", deleting, 100 * 512, 0);
    for (var i = 0; i < ROUNDS / 4; i++) {
      shard.ask(
          "delete 4,000 messages of a queue",
          new EntityRequest.DeleteMessages(
              shard.client, new Note(), queue, 4_000, Long.MAX_VALUE, null, null));
    }
    shard.checkpoint(
        "checkpoint of a queue",
        () -> {
          shard.send("send one message during a checkpoint", queue, 1);
          shard.lock(UNNAMED, deleting, 512, 100 * 512);
        });
    aside(shard);
    var definition = QueueDefinition.named("q").with();
    shard.update("update a full queue", definition.defaultTimeToLiveMillis(1_000).build());
    shard.update("update a full queue", definition.status(EntityStatus.DISABLED).build());
    shard.delete("delete a full queue", "q");
    shard.passes("tick that empties a deleted queue", 0);
  }

  /** What an array of as many numbers or tokens as a request may have asks for. */
  private static void aside(MeasuredShard shard) {
    var queue = shard.create(QueueDefinition.named("aside"));
    for (var i = 0; i < 4; i++) {
      shard.send(UNNAMED, queue, MOST_ITEMS);
    }
    var first = 1L;
    var receiver = shard.receiver(queue, ReceiveMode.PEEK_LOCK);
    for (var i = 0; i < 2; i++) {
      var ids = shard.lock(UNNAMED, receiver, MOST_ITEMS, 2L * i * MOST_ITEMS);
      shard.settle("defer 10,000 locks", queue, Settlement.DEFER, ids);
      var numbers = new long[ids.length];
      for (var at = 0; at < numbers.length; at++) {
        numbers[at] = first++;
      }
      shard.ask(
          "receive 10,000 deferred messages",
          new Request.ReceiveDeferred(
              shard.client,
              new Note(),
              queue,
              numbers,
              ReceiveMode.PEEK_LOCK,
              null,
              Long.MAX_VALUE));
      var more = shard.lock(UNNAMED, receiver, MOST_ITEMS, (2L * i + 1) * MOST_ITEMS);
      first += more.length;
      shard.settle("dead-letter 10,000 locks", queue, Settlement.DEAD_LETTER, more);
    }
  }

  static void locks(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var queue = shard.create(QueueDefinition.named("q"));
    var half = sizes.locks() / 2;
    for (var sent = 0; sent < sizes.locks() * 2; sent += sizes.batch()) {
      shard.send(UNNAMED, queue, sizes.batch());
    }
    var receiver = shard.receiver(queue, ReceiveMode.PEEK_LOCK);
    var ids = shard.lock("dispatch beside many locks", receiver, half, 0);
    var shorter = QueueDefinition.named("q").with().lockDurationMillis(5_000).build();
    shard.update("update a queue with many locks", shorter);
    shard.lock("dispatch beside longer locks", receiver, half, half);
    for (var from = 0; from + MOST_RENEWED <= half; from += MOST_RENEWED) {
      var some = Arrays.copyOfRange(ids, from, from + MOST_RENEWED);
      shard.ask("renew 4,096 locks", new Request.Renew(shard.client, new Note(), queue, some));
    }
    shard.ask("a receiver leaves with its locks", new Request.CloseReceiver(receiver));
    shard.passes("tick while locks lapse", 70_000);
    var again = shard.receiver(queue, ReceiveMode.PEEK_LOCK);
    var held = shard.lock(UNNAMED, again, half, 0);
    shard.delete("delete a queue with locks", "q");
    shard.passes("tick that empties a deleted queue with locks", 0);
    if (held.length < half) {
      throw new IllegalStateException("only " + held.length + " locks");
    }
  }

  static void expiry(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var queue = shard.create(QueueDefinition.named("q"));
    for (var sent = 0; sent < sizes.due(); sent += sizes.batch()) {
      shard.send(UNNAMED, queue, sizes.batch(), 60_000, null, null);
      shard.send(UNNAMED, queue, sizes.batch());
    }
    shard.passes("tick while messages expire", 100_000);
  }

  static void scheduled(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var queue = shard.create(QueueDefinition.named("q"));
    var due = new long[sizes.batch()];
    Arrays.fill(due, shard.nowMillis + 1_000_000);
    for (var sent = 0; sent < sizes.due(); sent += sizes.batch()) {
      shard.send("schedule a batch", queue, sizes.batch(), QueueDefinition.FOREVER, due, null);
    }
    var next = 1L;
    for (var round = 0; round < 4; round++) {
      var numbers = new long[Math.min(MOST_ITEMS, sizes.due() / 8)];
      for (var i = 0; i < numbers.length; i++) {
        numbers[i] = next++;
      }
      shard.ask(
          "cancel 10,000 scheduled messages",
          new Request.CancelScheduled(shard.client, new Note(), queue, numbers));
    }
    shard.passes("tick while scheduled messages are due", 2_000_000);
  }

  static void duplicates(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var queue = shard.create(QueueDefinition.named("q").withDuplicateWindow(60_000));
    var chance = new java.util.Random(1);
    for (var round = 0; round < 3; round++) {
      for (var sent = 0; sent < sizes.due(); sent += sizes.batch()) {
        var lives = new long[sizes.batch()];
        Arrays.fill(lives, QueueDefinition.FOREVER);
        var hashes = new long[2 * sizes.batch()];
        Arrays.setAll(hashes, i -> chance.nextLong());
        shard.send(
            "send a batch, with detection of duplicates",
            queue,
            MeasuredShard.burst(sizes.batch(), lives, null, hashes, null));
      }
      shard.passes(UNNAMED, 100_000);
    }
  }
}
