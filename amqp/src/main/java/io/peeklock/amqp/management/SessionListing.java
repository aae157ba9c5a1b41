package io.peeklock.amqp.management;

import io.netty.buffer.ByteBufUtil;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.request.Call;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Submission;
import java.util.ArrayList;
import java.util.List;

/**
 * A listing of sessions that is under way (amqp.md 7.2): the shard looks at a part of them at a
 * time, and is asked on until there are enough. An answer has no more bytes than one to a peek, and
 * says from where to ask for the others.
 */
final class SessionListing implements Ticket {
  /** What an id takes beside its text, at most. */
  private static final int BESIDE_BYTES = 5;

  private final ManagementNode node;
  private final Call call;
  private final long setAfterMillis;
  private final int skip;
  private final int most;
  private final List<String> ids = new ArrayList<>();
  private int leftToSkip;
  private long leftBytes;

  /**
   * One that has not begun.
   *
   * @param setAfterMillis as in {@link Request.ListSessions}
   * @param most how many ids, at least 1
   */
  SessionListing(ManagementNode node, Call call, long setAfterMillis, int skip, int most) {
    this.node = node;
    this.call = call;
    this.setAfterMillis = setAfterMillis;
    this.skip = skip;
    this.most = most;
    this.leftToSkip = skip;
    this.leftBytes =
        Math.min(node.host().limits().peekBytes(), node.host().holdings().mostInAnswer());
  }

  Call call() {
    return call;
  }

  /** The request for the shard that begins it. */
  Submission begin() {
    return from(0);
  }

  private Submission from(int place) {
    return Submission.of(
        new Request.ListSessions(
            node.port(), this, node.queue(), setAfterMillis, leftToSkip, most - ids.size(), place));
  }

  /** Takes a part, and asks on or answers. */
  void add(Effect.SessionsListed part) {
    leftToSkip -= part.skipped();
    var isFull = false;
    for (var id : part.sessionIds()) {
      leftBytes -= ByteBufUtil.utf8Bytes(id) + BESIDE_BYTES;
      isFull = leftBytes < 0 && !ids.isEmpty();
      if (isFull) {
        break;
      }
      ids.add(id);
    }
    if (isFull || part.next() == 0) {
      answer();
    } else {
      node.host().submit(from(part.next()));
    }
  }

  private void answer() {
    if (ids.isEmpty()) {
      node.noContent(call); // S-260
      return;
    }
    node.ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "skip");
          AmqpWriter.writeInt(out, skip + ids.size());
          AmqpWriter.writeString(out, "sessions-ids");
          AmqpValues.encode(out, TypedArray.ofStrings(ids));
          return 4;
        });
  }
}
