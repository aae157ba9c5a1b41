package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.kernel.Origin;
import io.peeklock.kernel.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Submission;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Management requests about message sessions (amqp.md 7.2). All but the listing are for the client
 * that holds the session: the one whose receiver is on the same connection.
 */
final class SessionRequests {
  static final String SESSION_ID = "session-id";

  /** In place of the count of a call: it renews a session, not messages. */
  static final int RENEWAL = -1;

  private static final String STATE = "session-state";
  private static final int MOST_LISTED = 10_000;

  private final ManagementLink link;
  private final RequestMessage request;

  SessionRequests(ManagementLink link, RequestMessage request) {
    this.link = link;
    this.request = request;
  }

  /**
   * The request for the shard.
   *
   * @throws ManagementRequests.BadRequest when it cannot be granted
   */
  Submission toSubmission(String operation) {
    ManagementRequests.needListen(link);
    var body = ManagementRequests.body(request);
    if (!link.hasSessions()) {
      throw new ManagementRequests.BadRequest(
          400, Conditions.NOT_ALLOWED, "The entity does not require sessions");
    }
    if (operation.equals("get-message-sessions")) {
      return list(body);
    }
    if (!(body.get(SESSION_ID) instanceof String id)) {
      throw ManagementRequests.argument("'session-id' is missing");
    }
    var holder = holderOf(id);
    return switch (operation) {
      case "renew-session-lock" ->
          Submission.of(
              new Request.RenewSession(
                  link.port(), ManagementLink.callOf(request, RENEWAL), link.queue, id, holder));
      case "get-session-state" ->
          Submission.of(
              new Request.GetSessionState(
                  link.port(),
                  ManagementLink.callOf(request, 0, toReserve()),
                  link.queue,
                  id,
                  holder));
      default -> setState(body, id, holder);
    };
  }

  private Submission setState(
      Map<String, @Nullable Object> body, String id, @Nullable Origin holder) {
    var state = body.get(STATE);
    if (state != null && !(state instanceof byte[])) {
      throw ManagementRequests.argument("'session-state' must be binary or null");
    }
    var bytes = (byte[]) state;
    if (bytes != null && bytes.length > link.definition().maxMessageBytes()) { // S-253
      throw new ManagementRequests.BadRequest(
          403,
          Conditions.MESSAGE_SIZE_EXCEEDED,
          "The session state has "
              + bytes.length
              + " bytes, which is more than the allowed "
              + link.definition().maxMessageBytes());
    }
    var set =
        new Request.SetSessionState(
            link.port(),
            ManagementLink.callOf(request, 0),
            link.queue,
            id,
            holder,
            bytes == null ? -1 : bytes.length);
    return new Submission(set, null, bytes);
  }

  private Submission list(Map<String, @Nullable Object> body) {
    var after = body.get("last-updated-time") instanceof Timestamp time ? time.epochMillis() : 0;
    var skip = ManagementRequests.integer(body.getOrDefault("skip", 0), "skip");
    var top = ManagementRequests.integer(body.getOrDefault("top", 100), "top");
    if (skip < 0 || top < 1) {
      throw ManagementRequests.argument("'skip' must not be negative, 'top' at least 1");
    }
    return new SessionListing(
            link,
            ManagementLink.callOf(request, 0),
            after >= MAX_TIME_MILLIS ? Long.MAX_VALUE : after,
            (int) Math.min(skip, Integer.MAX_VALUE),
            (int) Math.min(top, MOST_LISTED))
        .begin();
  }

  /** The end of the year 9999: the largest time that the clients know (S-259). */
  private static final long MAX_TIME_MILLIS = 253_402_300_000_000L;

  /**
   * The receiver of this client that holds the session that the request is about: the one that it
   * names, or that of the link that it names, as Go settles what was deferred; null for none.
   */
  @Nullable Origin holder() {
    if (!link.hasSessions()) {
      return null;
    }
    if (ManagementRequests.body(request).get(SESSION_ID) instanceof String id) {
      return holderOf(id);
    }
    var name = request.text(ManagementLink.ASSOCIATED_LINK);
    for (var candidate : link.connection.index.named(name)) {
      if (candidate instanceof ConsumerLink receiver && receiver.holdsAny(link.queue)) {
        return receiver.port();
      }
    }
    return null;
  }

  private @Nullable Origin holderOf(String id) {
    var receiver = link.connection.index.holderOf(link.queue, id);
    return receiver == null ? null : receiver.port();
  }

  /** A state counts whole before it is read; it came in one request. */
  private long toReserve() {
    var limits = link.connection.limits();
    return Math.min(link.definition().maxMessageBytes(), limits.requestBytes())
        + ManagementRequests.BESIDE_BYTES;
  }

  /**
   * Sends a session's state that was read, and gives its pins back. The key is there also when
   * there is no state (S-255).
   *
   * @param state null for none
   */
  static void answer(ManagementLink node, ManagementLink.Call call, @Nullable Bodies state) {
    try {
      if (node.replyLink(call.replyTo()) == null) {
        node.answered(call);
        return; // nothing is copied for nobody
      }
      var bytes = state == null ? 0 : state.length(0);
      var out = node.connection.channel().alloc().buffer(ManagementRequests.BESIDE_BYTES + bytes);
      try {
        write(out, call, state);
        node.send(call, out, false);
      } finally {
        out.release();
      }
    } finally {
      if (state != null) {
        state.release();
      }
    }
  }

  private static void write(ByteBuf out, ManagementLink.Call call, @Nullable Bodies state) {
    Reply.beginOk(out, call.messageId());
    var map = AmqpWriter.beginMap(out);
    AmqpWriter.writeString(out, STATE);
    if (state == null) {
      AmqpWriter.writeNull(out);
    } else {
      var binary = AmqpWriter.beginBinary(out);
      var from = state.offset(0);
      out.writeBytes(state.buffer(0).duplicate().limit(from + state.length(0)).position(from));
      AmqpWriter.endBinary(out, binary);
    }
    AmqpWriter.endMap(out, map, 2);
  }
}
