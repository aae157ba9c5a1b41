package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;

import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.EntityCounting;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardClock;
import io.peeklock.runtime.ShardExecutor;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A shard on a journal, in memory or on a simulated disk, whose threads take their turns by chance.
 */
final class StagesWorld implements ShardListener {
  private static final int BEGINNING = 100;
  private static final int LARGE = BodyArena.LARGE_BODY_BYTES + 10;

  private final boolean onDisk;
  private final Clock clock = new Clock();
  private final Map<String, QueueId> queues = new LinkedHashMap<>();
  private final Set<String> sent = new TreeSet<>();
  private final List<String> news = new ArrayList<>();
  private final Random fileIds = new Random(42);
  private SimExecutors executors = new SimExecutors();
  private SimDisk disk = new SimDisk();
  private Shard shard;
  private int turns;

  StagesWorld(boolean onDisk) throws IOException {
    this.onDisk = onDisk;
    shard = start();
    executors.settle();
  }

  private Shard start() throws IOException {
    Journal journal =
        onDisk
            ? FileJournal.open(
                settings().withResidentBytes(0),
                executors.shardExecutor(),
                disk,
                executors,
                fileIds::nextLong)
            : MemoryJournal.create(64 << 20, executors.shardExecutor());
    var started =
        new Shard(journal, new StageShardExecutor(executors), clock, new Format(), this, 8 << 20);
    started.start();
    return started;
  }

  /**
   * The process is killed, and another one starts on what it left.
   *
   * @param damaged bodies of which a bit flips when it has started, and before anybody reads them
   */
  void restart(String... damaged) throws IOException {
    disk = disk.killed();
    executors = new SimExecutors();
    clock.alarms.clear();
    shard = start();
    for (var body : damaged) {
      disk.damage(body.getBytes(StandardCharsets.UTF_8));
    }
    executors.settle();
  }

  private static final class Clock implements ShardClock {
    private static final long BEGAN = 1_700_000_000_000L;
    private final List<Alarm> alarms = new ArrayList<>();
    private long millis;

    private record Alarm(long at, Runnable task) {}

    @Override
    public long wallMillis() {
      return BEGAN + millis;
    }

    @Override
    public long monotonicMillis() {
      return millis;
    }
  }

  /** The shard's thread is one of the executors. */
  private final class StageShardExecutor implements ShardExecutor {
    private final SimExecutors of;

    StageShardExecutor(SimExecutors of) {
      this.of = of;
    }

    @Override
    public void execute(Runnable task) {
      of.shardExecutor()
          .execute(
              () -> {
                turns++;
                task.run();
              });
    }

    @Override
    public void executeLater(long after, Runnable task) {
      clock.alarms.add(new Clock.Alarm(clock.millis + after, () -> execute(task)));
    }
  }

  /** A text is its own session id; changes are put behind each other. */
  private static final class Format implements MessageFormat {
    @Override
    public byte[] merge(ByteBuffer older, byte[] newer) {
      var merged = new byte[older.remaining() + newer.length];
      older.get(merged, 0, older.remaining());
      System.arraycopy(newer, 0, merged, merged.length - newer.length, newer.length);
      return merged;
    }

    @Override
    public MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause) {
      return new Text(textOf(beginning));
    }
  }

  private record Text(String text) implements MessageView {
    @Override
    public void system(SystemProperty property, FilterValue into) {
      if (property == SystemProperty.SESSION_ID) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        into.setUtf8(bytes, 0, bytes.length);
      }
    }

    @Override
    public void user(PropertyName name, FilterValue into) {
      // It has none.
    }

    @Override
    public byte[] overlay(PropertyChanges changes) {
      return new byte[] {1};
    }

    @Override
    public int headBytes() {
      return 1;
    }

    @Override
    public boolean isChanged() {
      return false;
    }

    @Override
    public void messageIdHash(boolean withKey, long[] to, int at) {
      throw new UnsupportedOperationException("nothing detects duplicates here");
    }
  }

  /** The text in front; a large body is filled up with zeros. */
  private static String textOf(byte[] body) {
    var end = 0;
    while (end < body.length && body[end] != 0) {
      end++;
    }
    return new String(body, 0, end, StandardCharsets.UTF_8);
  }

  @Override
  public void leadershipLost() {
    news.add("leadership lost");
  }

  @Override
  public void idleDeleted(String path) {
    news.add("idle: " + path);
  }

  @Override
  public void ended(Throwable cause) {
    news.add("ended: " + cause);
  }

  QueueId queue(QueueDefinition definition) {
    var asker = new Client(null);
    shard.submit(Submission.of(new Request.CreateQueue(asker, asker.note(0, ""), definition)));
    executors.settle();
    var made = Objects.requireNonNull(asker.ready);
    queues.put(definition.path(), made);
    return made;
  }

  /** Somebody; null for one who receives from nowhere. */
  Client client(@Nullable QueueId receivesFrom) {
    return new Client(receivesFrom);
  }

  /** Somebody whose thread it is does something, so many times. */
  void turns(Random chance, int most) {
    for (var i = 0; i < most && executors.step(chance); i++) {
      // the executors have done it
    }
  }

  /** Lets time pass for everybody; the shard's alarms ring. */
  void pass(long millis) {
    clock.millis += millis;
    var due = clock.alarms.stream().filter(alarm -> alarm.at() <= clock.millis).toList();
    clock.alarms.removeAll(due);
    due.forEach(alarm -> alarm.task().run());
    executors.pass(millis);
  }

  void settle() {
    executors.settle();
  }

  /** The shard makes one step, and what it decided becomes durable; nothing else is done. */
  void step() {
    executors.step(new Random(0)); // nobody else has anything to do
    executors.settleLog();
  }

  int turns() {
    return turns;
  }

  Shard shard() {
    return shard;
  }

  List<String> news() {
    return news;
  }

  Set<String> sent() {
    return sent;
  }

  /** What was told to be stored. */
  Set<String> accepted(List<Answer> answers) {
    return answers.stream()
        .filter(answer -> answer.effect() instanceof Effect.SendAnswered)
        .map(Answer::text)
        .collect(Collectors.toSet());
  }

  /** The messages of a queue, in its order. */
  List<String> texts(String queue) {
    var reader = new Client(null);
    var at = Objects.requireNonNull(queues.get(queue));
    reader.ask(new Request.Peek(reader, reader.note(0, ""), at, 0, 500, Long.MAX_VALUE));
    executors.settle();
    return reader.peeked;
  }

  EntityCounts counts(QueueId of) {
    var answer = EntityCounting.of(shard, List.of(of));
    executors.settle();
    return Objects.requireNonNull(answer.join().get(0));
  }

  /** What a request is known by. */
  record Note(int asked, long lock, String text) implements Ticket {}

  /** What a request was answered. */
  record Answer(int asked, long lock, String text, Effect effect) {}

  /** A message that a client holds. */
  record Delivery(long lock, String text) {}

  /** The text of a large body, for whoever peeked it last. */
  private static final class Beginning implements LargeBody.PieceListener {
    private final LargeBody body;
    private final List<String> peeked;
    private final int place;

    Beginning(LargeBody body, List<String> peeked) {
      this.body = body;
      this.peeked = peeked;
      this.place = peeked.size() - 1;
    }

    @Override
    public void piece(ByteBuffer bytes) {
      var beginning = new byte[bytes.remaining()];
      bytes.get(beginning);
      peeked.set(place, textOf(beginning));
      body.release();
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  /** Someone with one link. */
  final class Client extends Endpoint {
    final List<Delivery> held = new ArrayList<>();
    final List<Answer> answers = new ArrayList<>();
    private final List<String> peeked = new ArrayList<>();
    private final @Nullable QueueId queue;
    private final Shard mine = shard;
    private @Nullable QueueId ready;
    private long credit;
    private int asked;

    Client(@Nullable QueueId queue) {
      this.queue = queue;
      if (queue != null) {
        ask(new Request.OpenReceiver(this, queue, ReceiveMode.PEEK_LOCK));
      }
    }

    private void ask(Request request) {
      mine.submit(Submission.of(request));
    }

    private Note note(long lock, String text) {
      return new Note(asked++, lock, text);
    }

    void flow(int more) {
      credit += more;
      ask(new Request.Flow(this, credit, false));
    }

    void send(QueueId to, String text) {
      send(to, staged(text), text.length(), null, text);
    }

    void schedule(QueueId to, long later, String text) {
      var due = new long[] {clock.wallMillis() + later};
      send(to, staged(text), text.length(), due, text);
    }

    /** Sends all to a topic, or none. */
    void publish(QueueId to, String... texts) {
      var count = texts.length;
      var sizes = Arrays.stream(texts).mapToInt(String::length).toArray();
      var forever = new long[count];
      Arrays.fill(forever, QueueDefinition.FOREVER);
      SendBurst.Subjects subjects = i -> new Text(texts[i]);
      var burst = new SendBurst(count, sizes, new int[count], forever, null, null, null, subjects);
      var send = new Request.Send(this, note(0, texts[0]), to, burst, true);
      mine.submit(new Submission(send, staged(texts), null));
    }

    private StagedBodies staged(String... texts) {
      var arena = mine.newArena();
      arena.begin();
      for (var text : texts) {
        arena.reserve(text.length()).put(text.getBytes(StandardCharsets.UTF_8));
        arena.commit();
      }
      return arena.end();
    }

    /** Its file is synced first. */
    void sendLarge(QueueId to, String text) {
      var arena = mine.newArena();
      var body = ByteBuffer.allocate(LARGE);
      body.put(text.getBytes(StandardCharsets.UTF_8)).position(LARGE).flip();
      var writer = arena.openLarge(LARGE);
      writer.write(body);
      writer.finish(
          this,
          large -> {
            arena.begin();
            arena.commit(Objects.requireNonNull(large, () -> "not stored: " + news));
            send(to, arena.end(), LARGE, null, text);
          });
    }

    private void send(
        QueueId to, StagedBodies body, int bytes, long @Nullable [] due, String text) {
      sent.add(text);
      var forever = new long[] {QueueDefinition.FOREVER};
      var burst = new SendBurst(1, new int[] {bytes}, new int[1], forever, due, null, null);
      mine.submit(
          new Submission(new Request.Send(this, note(0, text), to, burst, false), body, null));
    }

    void settle(Settlement how, Delivery delivery, String changes) {
      var overlay = changes.isEmpty() ? null : changes.getBytes(StandardCharsets.UTF_8);
      var settle =
          new Request.Settle(
              this,
              note(delivery.lock(), delivery.text()),
              Objects.requireNonNull(queue),
              how,
              new long[] {delivery.lock()},
              1,
              false,
              overlay == null ? null : new Overlay(overlay.length, 0));
      mine.submit(new Submission(settle, null, overlay));
    }

    void completeAll() {
      held.forEach(delivery -> settle(Settlement.COMPLETE, delivery, ""));
      held.clear();
    }

    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {
      switch (effect) {
        case Effect.Delivered delivered -> {
          var locks = Objects.requireNonNull(delivered.messages().lockIds());
          for (var i = 0; i < locks.length; i++) {
            held.add(new Delivery(locks[i], text(Objects.requireNonNull(bodies), i)));
          }
        }
        case Effect.Peeked shown -> {
          for (var i = 0; i < shown.messages().count(); i++) {
            peek(Objects.requireNonNull(bodies), i);
          }
        }
        case Effect.QueueReady made -> ready = made.queue();
        case Effect.SendAnswered answered -> answered(answered.ticket(), answered);
        case Effect.SettleAnswered answered -> answered(answered.ticket(), answered);
        default -> throw new IllegalStateException("not expected here: " + effect);
      }
      if (bodies != null) {
        bodies.release();
      }
    }

    private void answered(Ticket ticket, Effect effect) {
      var note = (Note) ticket;
      answers.add(new Answer(note.asked(), note.lock(), note.text(), effect));
    }

    private void peek(Bodies bodies, int i) {
      var large = bodies.large(i);
      peeked.add(large == null ? text(bodies, i) : "");
      if (large != null) {
        large.read(0, BEGINNING, this, new Beginning(large, peeked));
      }
    }

    private static String text(Bodies bodies, int i) {
      var bytes = new byte[bodies.length(i)];
      bodies.buffer(i).get(bodies.offset(i), bytes);
      return textOf(bytes);
    }

    @Override
    public void flush() {
      // Everything was told already.
    }

    @Override
    public void resume() {
      // It never stops.
    }

    @Override
    public void unreadable(String reason) {
      news.add("unreadable: " + reason);
    }

    @Override
    public void execute(Runnable task) {
      executors.shardExecutor().execute(task);
    }
  }
}
