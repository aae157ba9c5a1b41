package io.peeklock.testkit;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shard on a simulated journal, with clients that remember what they were told. */
final class ShardFixture implements ShardListener {
  final SimClock clock = new SimClock();
  final SimExecutor shardExecutor = new SimExecutor(clock);
  final SimJournal journal = new SimJournal(shardExecutor);
  final Shard shard = new Shard(journal, shardExecutor, clock, new Format(), this, 8 << 20);
  final List<String> news = new ArrayList<>();

  ShardFixture() {
    try {
      shard.start();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    shardExecutor.settle();
  }

  /** Changes are put behind each other, and a text is also its session id and its message id. */
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
      return new TextMessage(new String(beginning, StandardCharsets.UTF_8));
    }
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
    news.add("ended: " + cause.getMessage());
  }

  /** The note that a test puts on a request. */
  record Note(String text) implements Ticket {}

  QueueId queue(String name) {
    return queue(QueueDefinition.named(name));
  }

  QueueId queue(QueueDefinition definition) {
    var client = new Client();
    client.ask(new Request.CreateQueue(client, new Note("create"), definition));
    shardExecutor.settle();
    return ((Effect.QueueReady) client.told.getLast()).queue();
  }

  void advance(Duration time) {
    shardExecutor.advance(time);
  }

  /** Someone connected to the shard. */
  final class Client extends Endpoint {
    final List<Effect> told = new ArrayList<>();
    final List<List<String>> bodies = new ArrayList<>();
    final List<String> troubles = new ArrayList<>();
    int flushes;
    int resumed;
    Runnable whenTold = () -> {};

    boolean ask(Request request) {
      return shard.submit(Submission.of(request));
    }

    void send(QueueId queue, String... texts) {
      send(queue, false, texts);
    }

    void send(QueueId queue, boolean atomic, String... texts) {
      submit(queue, atomic, texts);
      shardExecutor.settle();
    }

    /** Sends what the shard has not seen yet. */
    void submit(QueueId queue, boolean atomic, String... texts) {
      var arena = shard.newArena();
      arena.begin();
      var sizes = new int[texts.length];
      var forever = new long[texts.length];
      for (var i = 0; i < texts.length; i++) {
        var bytes = texts[i].getBytes(StandardCharsets.UTF_8);
        sizes[i] = bytes.length;
        forever[i] = QueueDefinition.FOREVER;
        arena.reserve(Math.max(1, bytes.length)).put(bytes);
        arena.commit();
      }
      var burst = new SendBurst(texts.length, sizes, new int[texts.length], forever);
      shard.submit(
          new Submission(
              new Request.Send(this, new Note("send"), queue, burst, atomic), arena.end(), null));
    }

    /** Sends one that becomes active later. */
    void schedule(QueueId queue, Duration later, String text) {
      sendOne(queue, new long[] {clock.wallMillis() + later.toMillis()}, null, text);
    }

    void sendInSession(QueueId queue, String session, String text) {
      sendOne(queue, null, new @Nullable String[] {session}, text);
    }

    private void sendOne(
        QueueId queue, long @Nullable [] due, @Nullable String @Nullable [] sessions, String text) {
      var arena = shard.newArena();
      arena.begin();
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      arena.reserve(bytes.length).put(bytes);
      arena.commit();
      var forever = new long[] {QueueDefinition.FOREVER};
      var burst =
          new SendBurst(1, new int[] {bytes.length}, new int[1], forever, due, null, sessions);
      shard.submit(
          new Submission(
              new Request.Send(this, new Note("one"), queue, burst, false), arena.end(), null));
      shardExecutor.settle();
    }

    void receive(QueueId queue, ReceiveMode mode, int credit) {
      ask(new Request.OpenReceiver(this, queue, mode));
      ask(new Request.Flow(this, credit, false));
      shardExecutor.settle();
    }

    private void accept(QueueId queue, String session) {
      ask(
          new Request.AcceptSession(
              this, new Note("accept"), queue, session, ReceiveMode.PEEK_LOCK, 1_000));
      shardExecutor.settle();
      last(Effect.SessionAccepted.class);
    }

    void setState(QueueId queue, String session, String state) {
      accept(queue, session);
      var bytes = state.getBytes(StandardCharsets.UTF_8);
      var arena = shard.newArena();
      arena.begin();
      arena.reserve(bytes.length).put(bytes);
      arena.commit();
      var set =
          new Request.SetSessionState(this, new Note("set"), queue, session, this, bytes.length);
      shard.submit(new Submission(set, arena.end(), null));
      shardExecutor.settle();
      last(Effect.SessionStateStored.class);
    }

    String state(QueueId queue, String session) {
      accept(queue, session);
      ask(new Request.GetSessionState(this, new Note("get"), queue, session, this));
      shardExecutor.settle();
      last(Effect.SessionStateRead.class);
      return bodies.getLast().getFirst();
    }

    void settle(QueueId queue, Settlement settlement, long... lockIds) {
      ask(
          new Request.Settle(
              this, new Note("settle"), queue, settlement, lockIds, lockIds.length, false, null));
      shardExecutor.settle();
    }

    long[] lockIds() {
      var locks = last(Effect.Delivered.class).messages().lockIds();
      if (locks == null) {
        throw new AssertionError("the last delivery carries no locks");
      }
      return locks;
    }

    <E extends Effect> E last(Class<E> kind) {
      return told.reversed().stream()
          .filter(kind::isInstance)
          .map(kind::cast)
          .findFirst()
          .orElseThrow(() -> new AssertionError("never told " + kind.getSimpleName()));
    }

    boolean wasTold(Class<? extends Effect> kind) {
      return told.stream().anyMatch(kind::isInstance);
    }

    @Override
    public void onEffect(Effect effect, @Nullable Bodies pinned) {
      told.add(effect);
      whenTold.run();
      if (pinned != null) {
        var texts = new ArrayList<String>();
        for (var i = 0; i < pinned.count(); i++) {
          var bytes = new byte[pinned.length(i)];
          pinned.buffer(i).get(pinned.offset(i), bytes);
          texts.add(new String(bytes, StandardCharsets.UTF_8));
        }
        bodies.add(texts);
        pinned.release();
      }
    }

    @Override
    public void flush() {
      flushes++;
    }

    @Override
    public void resume() {
      resumed++;
    }

    @Override
    public void unreadable(String reason) {
      troubles.add(reason);
    }

    @Override
    public void execute(Runnable task) {
      shardExecutor.execute(task);
    }
  }

  /** What a peek shows, in its order. */
  List<String> messages(QueueId queue) {
    var reader = new Client();
    reader.ask(new Request.Peek(reader, new Note("peek"), queue, 0, 1_000, Long.MAX_VALUE));
    shardExecutor.settle();
    return reader.bodies.stream().flatMap(List::stream).toList();
  }

  Client client() {
    return new Client();
  }
}
