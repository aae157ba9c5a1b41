package io.peeklock.benchmarks;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the log costs per batch of 1 KiB messages, to a real folder with real syncs; each batch also
 * completes the messages of the one before. Divide by the burst for the cost of a message.
 *
 * <pre>{@code java -Djava.io.tmpdir=DIR -jar benchmarks/target/benchmarks.jar JournalBenchmark}
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class JournalBenchmark implements Log.Listener {
  private static final QueueId QUEUE = new QueueId(1);
  private static final int BODY_BYTES = 1_024;
  private static final int IN_FLIGHT = 4;

  /** Messages in a batch. */
  @Param({"1", "64", "500"})
  public int burst;

  private final byte[] body = new byte[BODY_BYTES];
  private final Queue<Runnable> shardExecutor = new ConcurrentLinkedQueue<>();
  private @Nullable Path folder;
  private @Nullable FileJournal journal;
  private @Nullable BodyArena arena;
  private volatile Thread waiting = Thread.currentThread();
  private long index;
  private long nextBodyId = 1;
  private volatile long durable;
  private volatile @Nullable IOException failure;

  private static final class NothingToReplay implements Log.Replay {
    @Override
    public void restored(long index, List<Fact> part) {
      throw new IllegalStateException("an empty log has no checkpoint");
    }

    @Override
    public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
      throw new IllegalStateException("an empty log has nothing to replay");
    }
  }

  /** Opens an empty log. */
  @Setup
  public void open() throws IOException {
    folder = Files.createTempDirectory("peeklock-journal");
    var opened = FileJournal.open(JournalSettings.in(folder), this::onShardThread);
    opened.recover(new NothingToReplay(), this);
    journal = opened;
    arena = opened.newArena();
    waiting = Thread.currentThread();
  }

  /** One batch at a time: the latency of a group with nothing else in flight. */
  @Benchmark
  public long appendAndWait() {
    append();
    return await(index);
  }

  /** A few batches in flight, as under load: the throughput of the log. */
  @Benchmark
  public long appendAhead() {
    append();
    return await(index - IN_FLIGHT);
  }

  private void append() {
    var log = opened(journal);
    var place = opened(arena);
    place.begin();
    for (var i = 0; i < burst; i++) {
      place.reserve(BODY_BYTES).put(body);
      place.commit();
    }
    var dead = new long[nextBodyId > burst ? burst : 0];
    Arrays.setAll(dead, i -> nextBodyId - burst + i);
    var batch =
        new Batch(
            1, index + 1, index, index + 1, facts(dead), nextBodyId, List.of(place.end()), dead);
    index++;
    nextBodyId += burst;
    log.append(batch);
  }

  private List<Fact> facts(long[] dead) {
    var facts = new ArrayList<Fact>();
    var sizes = new int[burst];
    Arrays.fill(sizes, BODY_BYTES);
    facts.add(new Fact.Enqueued(QUEUE, nextBodyId, nextBodyId, index + 1, sizes, sizes, null));
    if (dead.length > 0) {
      facts.add(new Fact.Completed(QUEUE, dead));
    }
    return facts;
  }

  /** The journal belongs to the thread that measures: its own calls come there, too. */
  private void onShardThread(Runnable task) {
    shardExecutor.add(task);
    LockSupport.unpark(waiting);
  }

  private long await(long wanted) {
    while (true) {
      for (var task = shardExecutor.poll(); task != null; task = shardExecutor.poll()) {
        task.run();
      }
      var cause = failure;
      if (cause != null) {
        throw new UncheckedIOException(cause);
      }
      if (durable >= wanted) {
        return durable;
      }
      LockSupport.park(this);
    }
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("not opened");
    }
    return part;
  }

  @Override
  public void durable(long reached) {
    durable = reached;
    LockSupport.unpark(waiting);
  }

  @Override
  public void lostLeadership() {
    throw new IllegalStateException("a local log leads for ever");
  }

  @Override
  public void failed(IOException cause) {
    failure = cause;
    LockSupport.unpark(waiting);
  }

  /** Closes the log and removes its folder. */
  @TearDown
  public void close() throws IOException {
    opened(journal).close();
    try (var paths = Files.walk(opened(folder))) {
      for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
