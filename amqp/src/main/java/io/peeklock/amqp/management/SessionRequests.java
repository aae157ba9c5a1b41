package io.peeklock.amqp.management;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.Reply;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
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

  private final ManagementNode node;
  private final RequestMessage request;

  SessionRequests(ManagementNode node, RequestMessage request) {
    this.node = node;
    this.request = request;
  }

  /**
   * The request for the shard.
   *
   * @throws BadRequest when it cannot be granted
   */
  Submission toSubmission(ManagementOperation operation) {
    node.need(Right.LISTEN);
    var body = RequestBody.of(request);
    if (!node.hasSessions()) {
      throw new BadManagementRequest(
          400, Conditions.NOT_ALLOWED, "The entity does not require sessions");
    }
    if (operation == ManagementOperation.GET_MESSAGE_SESSIONS) {
      return list(body);
    }
    if (!(body.get(SESSION_ID) instanceof String id)) {
      throw BadManagementRequest.argument("'session-id' is missing");
    }
    var holder = node.holderOf(id);
    return switch (operation) {
      case RENEW_SESSION_LOCK ->
          Submission.of(
              new Request.RenewSession(
                  node.port(), Call.of(request, RENEWAL), node.queue(), id, holder));
      case GET_SESSION_STATE ->
          Submission.of(
              new Request.GetSessionState(
                  node.port(), Call.of(request, 0, toReserve()), node.queue(), id, holder));
      default -> setState(body, id, holder);
    };
  }

  private Submission setState(RequestBody body, String id, @Nullable Origin holder) {
    var state = body.get(STATE);
    if (state != null && !(state instanceof byte[])) {
      throw BadManagementRequest.argument("'session-state' must be binary or null");
    }
    var given = (byte[]) state;
    var bytes = given == null || given.length == 0 ? null : given; // an empty state is none
    if (bytes != null && bytes.length > node.definition().maxMessageBytes()) { // S-253
      throw new BadManagementRequest(
          403,
          Conditions.MESSAGE_SIZE_EXCEEDED,
          "The session state has "
              + bytes.length
              + " bytes, which is more than the allowed "
              + node.definition().maxMessageBytes());
    }
    var set =
        new Request.SetSessionState(
            node.port(),
            Call.of(request, 0),
            node.queue(),
            id,
            holder,
            bytes == null ? -1 : bytes.length);
    return new Submission(set, null, bytes);
  }

  private Submission list(RequestBody body) {
    var after = body.get("last-updated-time") instanceof Timestamp time ? time.epochMillis() : 0;
    var skip = body.integer("skip", 0);
    var top = body.integer("top", 100);
    if (skip < 0 || top < 1) {
      throw BadManagementRequest.argument("'skip' must not be negative, 'top' at least 1");
    }
    return new SessionListing(
            node,
            Call.of(request, 0),
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
    if (!node.hasSessions()) {
      return null;
    }
    var id = RequestBody.of(request).text(SESSION_ID);
    return id == null
        ? node.holderOnLink(request.text(RequestMessage.ASSOCIATED_LINK))
        : node.holderOf(id);
  }

  /** A state counts whole before it is read; it came in one request. */
  private long toReserve() {
    var limits = node.host().limits();
    return Math.min(node.definition().maxMessageBytes(), limits.requestBytes())
        + AnswerRoom.BESIDE_BYTES;
  }

  /**
   * Sends a session's state that was read, and gives its pins back. The key is there also when
   * there is no state (S-255).
   *
   * @param state null for none
   */
  static void answer(ManagementNode node, Call call, @Nullable Bodies state) {
    try {
      if (node.replyLink(call.replyTo()) == null) {
        node.answered(call);
        return; // nothing is copied for nobody
      }
      var bytes = state == null ? 0 : state.length(0);
      var out = node.host().channel().alloc().buffer(AnswerRoom.BESIDE_BYTES + bytes);
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

  private static void write(ByteBuf out, Call call, @Nullable Bodies state) {
    Reply.beginOk(out, call.messageId());
    var map = AmqpWriter.beginMap(out);
    AmqpWriter.writeString(out, STATE);
    if (state == null || state.length(0) == 0) {
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
