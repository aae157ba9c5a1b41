package io.peeklock.amqp.transaction;

import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.amqp.message.SendTarget;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one transaction, which wait here for its commit: small ones in memory, large ones
 * in files of their own that are synced already.
 */
final class TransactedSends {
  /** What a message takes of the heap beside its bytes. */
  private static final int BESIDE_BYTES = 256;

  private final EventLoopContext loopContext;
  private final Map<QueueId, Staged> byQueue = new LinkedHashMap<>();
  private int messages;
  private long memoryBytes;
  private long fileBytes;
  private @Nullable String partition;
  private boolean spansPartitions;

  /** Messages for one queue. */
  private static final class Staged {
    final SendRun run;
    final SendTarget target;
    final List<Waiting> bodies = new ArrayList<>();
    long @Nullable [] numbers;

    Staged(SendTarget target, SendRun run) {
      this.target = target;
      this.run = run;
    }

    SendBurst burst() {
      var given = numbers;
      return given == null
          ? run.burst()
          : run.burst().withGivenNumbers(Arrays.copyOf(given, bodies.size()));
    }
  }

  /** A message that waits. */
  private sealed interface Waiting {
    record Small(byte[] bytes) implements Waiting {}

    record Large(LargeBody.Staged file) implements Waiting {}
  }

  TransactedSends(EventLoopContext loopContext) {
    this.loopContext = loopContext;
  }

  int messages() {
    return messages;
  }

  /** What they take in memory. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** What they take in files. */
  long fileBytes() {
    return fileBytes;
  }

  /** What goes to one queue in several ways goes there in the first one. */
  private Staged staged(SendTarget target) {
    return byQueue.computeIfAbsent(
        target.queue(),
        first -> new Staged(target, new SendRun(target.definition(), loopContext.messageIds)));
  }

  /**
   * Takes the message that was inspected last.
   *
   * @return the bytes that it takes in memory
   */
  int add(SendTarget target, MessageNormalizer normalizer, int length) {
    var staged = staged(target);
    var out = ByteBuffer.allocate(length + MessageNormalizer.MAX_GROWTH);
    staged.run.note(normalizer);
    normalizer.write(out);
    var body = Arrays.copyOf(out.array(), out.position());
    staged.run.wrote(ByteBuffer.wrap(body), 0, normalizer);
    staged.run.add(body.length, 0, false);
    staged.bodies.add(new Waiting.Small(body));
    messages++;
    note(staged.run.partition());
    var bytes = body.length + BESIDE_BYTES;
    memoryBytes += bytes;
    return bytes;
  }

  /** Takes a large message, whose run says all about it. */
  void add(SendTarget target, SendRun one, LargeBody.Staged file) {
    var staged = staged(target);
    staged.run.join(one);
    staged.bodies.add(new Waiting.Large(file));
    messages++;
    note(staged.run.partition());
    fileBytes += file.length();
  }

  /** A message with this session id or key is settled in the same transaction (S-374). */
  void settlesOf(String key) {
    note(SendRun.partitionOf(key));
  }

  private void note(@Nullable String next) {
    spansPartitions |= partition != null && next != null && !partition.equals(next);
    partition = next == null ? partition : next;
  }

  /** Whether messages for partitioned entities have different keys (S-374). */
  boolean spansPartitions() {
    return spansPartitions;
  }

  /** How many messages wait for a queue. */
  int count(QueueId queue) {
    var staged = byQueue.get(queue);
    return staged == null ? 0 : staged.bodies.size();
  }

  /** Messages of a queue, from this one on, were given numbers. */
  void numbered(QueueId queue, int from, long[] given) {
    var staged = byQueue.get(queue);
    if (staged == null) {
      return; // rolled back meanwhile
    }
    var size = Math.max(staged.bodies.size(), from + given.length);
    var old = staged.numbers;
    var all = old == null ? new long[size] : Arrays.copyOf(old, Math.max(size, old.length));
    System.arraycopy(given, 0, all, from, given.length);
    staged.numbers = all;
  }

  /** Stages all bodies in the arena's open run, in the order of {@link #requests}. */
  void stage(BodyArena arena) {
    for (var staged : byQueue.values()) {
      for (var body : staged.bodies) {
        switch (body) {
          case Waiting.Small small -> stage(arena, small.bytes());
          case Waiting.Large large -> arena.commit(large.file());
        }
      }
    }
  }

  /** Stages one body. */
  static void stage(BodyArena arena, byte[] body) {
    arena.reserve(Math.max(1, body.length)).put(body);
    arena.commit();
  }

  List<Request.Send> requests(Origin origin) {
    return byQueue.values().stream()
        .map(
            staged ->
                new Request.Send(
                    origin,
                    null,
                    staged.target.queue(),
                    staged.burst(),
                    true,
                    false,
                    staged.target.via()))
        .toList();
  }

  /** Forgets all, after a commit that has them now. */
  void clear() {
    byQueue.clear();
    memoryBytes = 0;
    fileBytes = 0;
  }

  /** Drops all. */
  void release() {
    for (var staged : byQueue.values()) {
      for (var body : staged.bodies) {
        if (body instanceof Waiting.Large large) {
          large.file().release();
        }
      }
    }
    clear();
  }
}
