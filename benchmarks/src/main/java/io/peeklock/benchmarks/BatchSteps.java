package io.peeklock.benchmarks;

import static io.peeklock.benchmarks.MeasuredShard.UNNAMED;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The largest batches that a namespace takes, at entities that hold much already. */
final class BatchSteps {
  private static final int ROUNDS = 20;
  private static final int LARGEST = 104_857;

  private final MeasuredShard shard;
  private final Random chance = new Random(1);
  private final int most;
  private final String[] sessions;

  private BatchSteps(StepLedger ledger, StepSizes sizes) {
    shard = new MeasuredShard(ledger);
    most = (int) ((long) LARGEST * sizes.batch() / StepSizes.FULL.batch());
    sessions = new String[sizes.sessions()];
    Arrays.setAll(sessions, i -> "session " + i);
  }

  static void largest(StepLedger ledger, StepSizes sizes) {
    var steps = new BatchSteps(ledger, sizes);
    var plain = QueueDefinition.named("q");
    steps.batches("store the largest batch", plain, sizes, false);
    steps.batches("schedule the largest batch", plain, sizes, true);
    steps.batches(
        "take the largest batch, with detection of duplicates",
        QueueDefinition.named("d").withDuplicateWindow(600_000),
        sizes,
        false);
    steps.batches(
        "take the largest batch, with sessions",
        QueueDefinition.named("s").withSession(true),
        sizes,
        false);
  }

  private void batches(String kind, QueueDefinition definition, StepSizes sizes, boolean due) {
    var queue = shard.create(definition);
    for (var sent = 0; sent < sizes.due(); sent += sizes.batch()) {
      send(UNNAMED, queue, definition, sizes.batch(), false);
    }
    for (var i = 0; i < ROUNDS; i++) {
      send(kind, queue, definition, most, due);
    }
    shard.delete(UNNAMED, definition.path());
    shard.passes(UNNAMED, 0);
  }

  private void send(
      String kind, QueueId queue, QueueDefinition definition, int count, boolean scheduled) {
    var lives = new long[count];
    Arrays.fill(lives, QueueDefinition.FOREVER);
    long[] due = null;
    if (scheduled) {
      due = new long[count];
      Arrays.fill(due, shard.nowMillis + 1_000_000);
    }
    shard.send(
        kind, queue, MeasuredShard.burst(count, lives, due, hashes(definition, count), of(count)));
  }

  private long @Nullable [] hashes(QueueDefinition definition, int count) {
    return definition.duplicateWindowMillis() == 0 ? null : chance.longs(2L * count).toArray();
  }

  private String[] of(int count) {
    var some = new String[count];
    Arrays.setAll(some, i -> sessions[chance.nextInt(sessions.length)]);
    return some;
  }
}
