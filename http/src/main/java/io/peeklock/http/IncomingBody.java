package io.peeklock.http;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way in: held until it is whole, or, above what its route holds,
 * handed on to who takes large ones. What is held counts against the bound of all connections.
 */
final class IncomingBody {
  private final RequestBodyMemory room;
  private final Route route;
  private final HttpCall call;
  private final BodyPace pace;
  private @Nullable ByteBuf held;
  private @Nullable BodySink sink;
  private boolean passing;
  private long declared = -1;

  IncomingBody(HttpBudgets budgets, Route route, HttpCall call, BodyPace pace) {
    this.room = new RequestBodyMemory(budgets, route, call);
    this.route = route;
    this.call = call;
    this.pace = pace;
  }

  BodyPace pace() {
    return pace;
  }

  /**
   * Before anything of it has come. The call may be answered then.
   *
   * @param length below 0 when nobody knows
   * @param waits whether the peer wants a word first
   */
  void open(long length, boolean waits) {
    var large = route.large();
    declared = length;
    passing = length > route.bodyBytes();
    if (large != null && (length < 0 || passing || waits)) {
      sink = large.open(call, length);
    }
  }

  /**
   * Takes a part.
   *
   * @return why the request is refused, or null
   */
  RequestChecks.Judgement.@Nullable Bad take(ByteBuf part, ByteBufAllocator memory) {
    var bytes = part.readableBytes();
    pace.came(bytes);
    var before = held == null ? 0 : held.readableBytes();
    if (!passing && before + (long) bytes > route.bodyBytes()) {
      if (sink == null) {
        return route.tooLarge();
      }
      passing = true;
      passHeld(sink);
    }
    if (!passing) {
      return hold(part, memory);
    }
    if (sink != null) {
      sink.take(part);
    }
    return null;
  }

  private RequestChecks.Judgement.@Nullable Bad hold(ByteBuf part, ByteBufAllocator memory) {
    var before = held == null ? 0 : held.capacity();
    var after = capacityFor((held == null ? 0 : held.readableBytes()) + part.readableBytes());
    if (after > before) {
      var wrong = room.take(after - before);
      if (wrong != null) {
        return wrong;
      }
      if (held == null) {
        held = memory.buffer(after);
      } else {
        held.capacity(after);
      }
    }
    room.came(part.readableBytes());
    held().writeBytes(part); // a copy: many small parts must not hold large buffers
    return null;
  }

  private ByteBuf held() {
    return requireNonNull(held);
  }

  /** Counted is what a buffer takes, not what is in it: so it is no larger than need be. */
  private int capacityFor(int bytes) {
    var have = held == null ? 0 : held.capacity();
    if (bytes <= have) {
      return have;
    }
    var most =
        bytes <= RequestBodyMemory.UNAUTHENTICATED_BYTES
            ? RequestBodyMemory.UNAUTHENTICATED_BYTES
            : route.bodyBytes();
    var ample = Math.min(most, bytes + bytes / 4L);
    return (int) (declared < bytes ? ample : Math.min(declared, ample));
  }

  private void passHeld(BodySink to) {
    var first = held;
    held = null;
    if (first != null) {
      try {
        to.take(first);
      } finally {
        first.release();
        room.giveBack();
      }
    }
  }

  /** Whether more of it should come now. */
  boolean hasRoom() {
    return !passing || sink == null || sink.hasRoom();
  }

  /** It is whole: goes to its handler. */
  void end() {
    var taker = sink;
    sink = null;
    if (passing && taker != null) {
      taker.end();
      return;
    }
    if (taker != null) {
      taker.drop();
    }
    if (held != null) {
      room.whole();
      call.whole(held);
    }
    route.handler().handle(call);
  }

  /** Nobody needs it any more. */
  void drop() {
    var taker = sink;
    sink = null;
    if (taker != null) {
      taker.drop();
    }
    if (held != null) {
      held.release();
      held = null;
    }
    room.giveBack(); // also what was taken for a buffer that could not be had
  }
}
