package io.peeklock.simulator.client;

import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.simulator.history.SentMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lays bodies where the journal finds them; large ones in files of their own, which takes time. */
final class BodyStager {
  private static final int CHUNK_BYTES = 256 * 1024;

  private final BodyArena arena;
  private final Executor clients;

  BodyStager(BodyArena arena, Executor clients) {
    this.arena = arena;
    this.clients = clients;
  }

  /** Whether there is room to stage anything. */
  boolean hasRoom() {
    return arena.hasRoom();
  }

  /**
   * Stages bodies.
   *
   * @param first small ones that come before the messages
   * @param then told at once, or later; what it hands on is null when a large one found no room
   */
  void stage(
      List<byte[]> first, List<SentMessage> messages, Consumer<@Nullable StagedBodies> then) {
    new Run(first, messages, then).nextLarge(0);
  }

  private final class Run {
    private final List<byte[]> first;
    private final List<SentMessage> messages;
    private final Consumer<@Nullable StagedBodies> then;
    private final List<LargeBody.@Nullable Staged> larges = new ArrayList<>();

    Run(List<byte[]> first, List<SentMessage> messages, Consumer<@Nullable StagedBodies> then) {
      this.first = first;
      this.messages = messages;
      this.then = then;
    }

    void nextLarge(int from) {
      var at = from;
      while (at < messages.size()
          && SendBursts.bytes(messages.get(at)) <= BodyArena.LARGE_BODY_BYTES) {
        larges.add(null);
        at++;
      }
      if (at == messages.size()) {
        stageAll();
      } else {
        large(at);
      }
    }

    private void large(int at) {
      var message = messages.get(at);
      var bytes = SendBursts.bytes(message);
      var writer = arena.openLarge(bytes);
      var head = SimMessage.head(message);
      writer.write(ByteBuffer.wrap(head));
      for (var left = bytes - head.length; left > 0; left -= CHUNK_BYTES) {
        writer.write(ByteBuffer.allocate(Math.min(left, CHUNK_BYTES)));
      }
      writer.finish(
          clients,
          staged -> {
            if (staged == null) {
              giveUp();
            } else {
              larges.add(staged);
              nextLarge(at + 1);
            }
          });
    }

    private void giveUp() {
      for (var large : larges) {
        if (large != null) {
          large.release();
        }
      }
      then.accept(null);
    }

    private void stageAll() {
      arena.begin();
      for (var body : first) {
        arena.reserve(Math.max(1, body.length)).put(body);
        arena.commit();
      }
      for (var i = 0; i < messages.size(); i++) {
        var large = larges.get(i);
        if (large == null) {
          small(messages.get(i));
        } else {
          arena.commit(large);
        }
      }
      then.accept(arena.end());
    }

    private void small(SentMessage message) {
      var bytes = SendBursts.bytes(message);
      var head = SimMessage.head(message);
      arena.reserve(bytes).put(head).put(new byte[bytes - head.length]);
      arena.commit();
    }
  }
}
