package io.peeklock.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.codec.FactCodec;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.BodyStorage;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A naive model of a log, and the words to write tests with: what was appended, what was told as
 * durable, and what must therefore be found again.
 */
public final class Story implements Log.Listener, Log.Replay, BodyStorage.LoadListener {
  public static final QueueId QUEUE = new QueueId(1);

  public final Map<Long, List<Fact>> appended = new TreeMap<>();
  public final Map<Long, Long> bodyBatch = new TreeMap<>();
  public final Map<Long, Long> killedBy = new HashMap<>();
  public final Map<Long, Integer> lengths = new TreeMap<>();
  public final List<Long> replayed = new ArrayList<>();
  public final List<Bodies> loaded = new ArrayList<>();
  public final List<String> unreadable = new ArrayList<>();
  public final List<IOException> failures = new ArrayList<>();
  public final List<Log.Standing> led = new ArrayList<>();
  public long durable;
  public long lastIndex;
  public long nextBodyId = 1;
  public long term = 1;
  public boolean toldAfterFailure;

  private @Nullable Journal journal;
  private @Nullable BodyArena arena;

  /** Recovers a journal and goes on with it. */
  public Story on(Journal next) throws IOException {
    journal = next;
    replayed.clear();
    failures.clear();
    var standing = next.recover(this, this);
    term = standing.term();
    lastIndex = standing.lastIndex();
    durable = lastIndex;
    appended.keySet().removeIf(index -> index > lastIndex);
    bodyBatch.values().removeIf(index -> index > lastIndex);
    lengths.keySet().retainAll(bodyBatch.keySet());
    killedBy.values().removeIf(index -> index > lastIndex);
    nextBodyId = bodyBatch.keySet().stream().mapToLong(id -> id + 1).max().orElse(1);
    arena = next.newArena();
    return this;
  }

  /** The same story, for another disk; its journal is none yet. */
  public Story copy() {
    var copy = new Story();
    copy.appended.putAll(appended);
    copy.bodyBatch.putAll(bodyBatch);
    copy.killedBy.putAll(killedBy);
    copy.lengths.putAll(lengths);
    return copy;
  }

  public Journal journal() {
    return Objects.requireNonNull(journal);
  }

  public BodyArena arena() {
    return Objects.requireNonNull(arena);
  }

  /** The bytes that a body of an id has in every story. */
  public static byte[] bytesOf(long bodyId, int length) {
    var bytes = new byte[length];
    new Random(bodyId * 31 + 7).nextBytes(bytes);
    return bytes;
  }

  /** Stages bodies of these sizes, the first for the next id. */
  public StagedBodies stage(int... sizes) {
    arena().begin();
    var id = nextBodyId;
    for (var size : sizes) {
      arena().reserve(Math.max(1, size)).put(bytesOf(id++, size));
      arena().commit();
    }
    return arena().end();
  }

  /** Appends a batch with bodies of these sizes; its index. */
  public long send(int... sizes) {
    return append(List.of(stage(sizes)), sizes, new long[0]);
  }

  /** Appends a batch after which these are dead; its index. */
  public long complete(long... bodyIds) {
    return append(List.of(), new int[0], bodyIds);
  }

  /** Appends a batch that stores a large body. */
  public long sendLarge(LargeBody.Staged large) {
    arena().begin();
    arena().commit(large);
    var size = (int) large.length();
    return append(List.of(arena().end()), new int[] {size}, new long[0]);
  }

  public long append(List<StagedBodies> bodies, int[] sizes, long[] dead) {
    var facts = new ArrayList<Fact>();
    if (sizes.length > 0) {
      facts.add(
          new Fact.Enqueued(QUEUE, nextBodyId, nextBodyId, 1_000, sizes, sizes.clone(), null));
    }
    if (dead.length > 0) {
      facts.add(new Fact.Completed(QUEUE, dead));
    }
    var index = lastIndex + 1;
    appended.put(index, facts);
    for (var i = 0; i < sizes.length; i++) {
      bodyBatch.put(nextBodyId + i, index);
      lengths.put(nextBodyId + i, sizes[i]);
    }
    for (var id : dead) {
      killedBy.put(id, index);
    }
    var batch = new Batch(term, index, lastIndex, 1_000 + index, facts, nextBodyId, bodies, dead);
    lastIndex = index;
    nextBodyId += sizes.length;
    journal().append(batch);
    return index;
  }

  /** Bodies that nothing appended so far has killed. */
  public List<Long> live() {
    return bodyBatch.keySet().stream().filter(id -> !killedBy.containsKey(id)).toList();
  }

  /** Fetches, and remembers what comes at once or later. */
  public @Nullable Bodies fetch(Collection<Long> ids) {
    return journal().fetch(ids.stream().mapToLong(id -> id).toArray(), this);
  }

  /** Compares what was fetched with what was sent, and gives it back. */
  public void check(Bodies bodies, List<Long> ids) {
    assertThat(bodies.count()).isEqualTo(ids.size());
    for (var i = 0; i < ids.size(); i++) {
      var length = Objects.requireNonNull(lengths.get(ids.get(i)));
      if (bodies.large(i) == null) {
        var actual = new byte[bodies.length(i)];
        bodies.buffer(i).get(bodies.offset(i), actual);
        if (actual.length != length || !Arrays.equals(actual, bytesOf(ids.get(i), length))) {
          throw new AssertionError("body " + ids.get(i) + " is another one");
        }
      }
    }
    bodies.release();
  }

  /** What a recovery must have found: all from the first batch on, as no checkpoint is made. */
  public void checkReplay(long toldDurable) {
    assertThat(lastIndex).isGreaterThanOrEqualTo(toldDurable);
    assertThat(replayed).isEqualTo(LongStream.rangeClosed(1, lastIndex).boxed().toList());
  }

  /** Tells a recovered journal what its replay found dead. */
  public void releaseDeadBodies() {
    journal().forget(killedBy.keySet().stream().mapToLong(id -> id).toArray());
  }

  @Override
  public void restored(long index, List<Fact> part) {
    throw new AssertionError("no checkpoints here");
  }

  @Override
  public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
    assertThat(predecessor).isEqualTo(index - 1);
    assertThat(timeMillis).isEqualTo(1_000 + index);
    assertThat(bytes(facts)).as("batch %s", index).isEqualTo(bytes(appended.get(index)));
    replayed.add(index);
  }

  /** What died in a batch that the log has is dead before it is judged what is missing. */
  @Override
  public void ended() {
    var recovering = journal;
    if (recovering == null) {
      return; // it only listens to somebody else's
    }
    var last = replayed.isEmpty() ? 0 : replayed.getLast();
    recovering.forget(
        killedBy.entrySet().stream()
            .filter(death -> death.getValue() <= last)
            .mapToLong(Map.Entry::getKey)
            .toArray());
  }

  private static byte[] bytes(@Nullable List<Fact> facts) {
    var all = Objects.requireNonNull(facts);
    var out = ByteBuffer.allocate((int) FactCodec.bytes(all)).order(ByteOrder.LITTLE_ENDIAN);
    FactCodec.encode(all, out);
    return Arrays.copyOf(out.array(), out.position());
  }

  @Override
  public void durable(long index) {
    toldAfterFailure |= !failures.isEmpty();
    assertThat(index).isGreaterThan(durable).isLessThanOrEqualTo(lastIndex);
    durable = index;
  }

  @Override
  public void leads(Log.Standing standing) {
    led.add(standing);
  }

  @Override
  public void lostLeadership() {
    throw new AssertionError("a local log leads for ever");
  }

  @Override
  public void failed(IOException cause) {
    failures.add(cause);
  }

  @Override
  public void loaded(Bodies bodies) {
    loaded.add(bodies);
  }

  @Override
  public void unreadable(long bodyId, IOException cause) {
    unreadable.add(bodyId + ": " + cause.getMessage());
  }

  /** An endpoint that lives on the thread that talks to it. */
  public static Endpoint endpoint() {
    return new Endpoint() {
      @Override
      public void onEffect(Effect effect, @Nullable Bodies bodies) {
        throw new AssertionError("no effects here");
      }

      @Override
      public void flush() {
        throw new AssertionError("no effects here");
      }

      @Override
      public void resume() {
        throw new AssertionError("no mailbox here");
      }

      @Override
      public void unreadable(String reason) {
        throw new AssertionError("no gate here");
      }

      @Override
      public void execute(Runnable task) {
        task.run();
      }
    };
  }
}
