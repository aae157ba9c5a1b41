package io.peeklock.amqp.management;

import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.message.ChangedProperties;
import io.peeklock.amqp.message.DeadLetterTexts;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One management request, read (amqp.md 7.2). Integers of any type are taken. */
final class ManagementRequests {
  private static final int MAX_PEEK = 250;

  /** All or none are renewed, by one decision: no client sends more than one at a time. */
  private static final int MAX_RENEWED = 4_096;

  private final ManagementNode node;
  private final RequestMessage request;
  private @Nullable RequestBody body;

  ManagementRequests(ManagementNode node, RequestMessage request) {
    this.node = node;
    this.request = request;
  }

  /**
   * The request for the shard.
   *
   * @return null when it is answered already
   * @throws BadRequest when it cannot be granted
   */
  @Nullable Submission toSubmission() {
    var name = request.text("operation");
    if (name == null) {
      throw BadManagementRequest.argument("The request names no operation");
    }
    var operation = ManagementOperation.of(name);
    if (operation == null) {
      throw new BadManagementRequest(501, Conditions.NOT_IMPLEMENTED, "The operation is unknown");
    }
    return switch (operation) {
      case RENEW_LOCK -> renew();
      case PEEK_MESSAGE -> peek();
      case RECEIVE_BY_SEQUENCE_NUMBER -> receiveDeferred();
      case UPDATE_DISPOSITION -> settle();
      case RENEW_SESSION_LOCK, GET_SESSION_STATE, SET_SESSION_STATE, GET_MESSAGE_SESSIONS ->
          new SessionRequests(node, request).toSubmission(operation);
      case SCHEDULE_MESSAGE -> new ScheduleRequest(node, request).toSubmission();
      case CANCEL_SCHEDULED_MESSAGE -> cancel();
      case BATCH_DELETE_MESSAGES -> delete();
      case ADD_RULE, REMOVE_RULE, ENUMERATE_RULES ->
          new RuleRequests(node, request).toSubmission(operation);
    };
  }

  private Submission renew() {
    node.need(Right.LISTEN);
    var tokens = tokens();
    RequestBody.checkCount("lock-tokens", tokens.length, MAX_RENEWED);
    var call = Call.of(request, tokens.length);
    return Submission.of(new Request.Renew(node.port(), call, node.queue(), tokens));
  }

  private Submission peek() {
    node.need(Right.LISTEN);
    var from = body().integer("from-sequence-number");
    var count = body().integer("message-count");
    if (count < 1) {
      throw BadManagementRequest.argument("'message-count' must be at least 1");
    }
    var most = (int) Math.min(count, MAX_PEEK);
    var bytes = Math.min(node.host().limits().peekBytes(), mostBytes());
    return Submission.of(
        new Request.Peek(
            node.port(),
            Call.of(request, 0, toReserve(most, bytes)),
            node.queue(),
            Math.max(0, from),
            most,
            bytes,
            body().text(SessionRequests.SESSION_ID)));
  }

  private @Nullable Submission receiveDeferred() {
    node.need(Right.LISTEN);
    var numbers = numbers();
    var mode =
        switch (Math.clamp(body().integer("receiver-settle-mode"), -1, 2)) {
          case 0 -> ReceiveMode.RECEIVE_AND_DELETE;
          case 1 -> ReceiveMode.PEEK_LOCK;
          default -> throw BadManagementRequest.argument("'receiver-settle-mode' must be 0 or 1");
        };
    var bytes = mostBytes();
    var call = Call.of(request, numbers.length, toReserve(numbers.length, bytes));
    if (numbers.length == 0) {
      node.emptyList(call);
      return null;
    }
    return Submission.of(
        new Request.ReceiveDeferred(
            node.port(),
            call,
            node.queue(),
            numbers,
            mode,
            new SessionRequests(node, request).holder(),
            bytes));
  }

  private long mostBytes() {
    return node.host().holdings().mostInAnswer();
  }

  /** What is counted of an answer with so many messages before it is known which. */
  private long toReserve(int count, long mostBytes) {
    var largest = node.definition().maxMessageBytes();
    return Math.min(mostBytes, count * Math.min(largest, mostBytes))
        + (long) count * AnswerRoom.BESIDE_BYTES;
  }

  private Submission cancel() {
    node.need(Right.SEND);
    var numbers = numbers();
    var call = Call.of(request, numbers.length);
    return Submission.of(new Request.CancelScheduled(node.port(), call, node.queue(), numbers));
  }

  /** S-411 to S-415; a purge is this until nothing is left (S-416). */
  private Submission delete() {
    node.need(Right.LISTEN);
    var count = body().integer("message-count");
    if (count < 1) {
      throw BadManagementRequest.argument("'message-count' must be at least 1");
    }
    var most = node.host().edge().settings().mostDeleted();
    if (count > most) {
      throw new BadManagementRequest(
          400,
          Conditions.ARGUMENT_OUT_OF_RANGE,
          "'message-count' is " + count + "; at most " + most + " can be deleted at a time");
    }
    if (body().get(SessionRequests.SESSION_ID) != null && !node.hasSessions()) {
      throw new BadManagementRequest(
          400, Conditions.NOT_ALLOWED, "The entity does not require sessions");
    }
    if (!(body().get("enqueued-time-utc") instanceof Timestamp before)) {
      throw BadManagementRequest.argument("'enqueued-time-utc' must be a timestamp");
    }
    return Submission.of(
        new EntityRequest.DeleteMessages(
            node.port(),
            Call.of(request, 0),
            node.queue(),
            (int) count,
            before.epochMillis(),
            body().text(SessionRequests.SESSION_ID),
            new SessionRequests(node, request).holder()));
  }

  private Submission settle() {
    node.need(Right.LISTEN);
    var settlement =
        switch (String.valueOf(body().get("disposition-status"))) {
          case "completed" -> Settlement.COMPLETE;
          case "abandoned" -> Settlement.ABANDON;
          case "suspended" -> Settlement.DEAD_LETTER;
          case "defered" -> Settlement.DEFER; // one r (T-46)
          case "released" -> Settlement.RELEASE;
          default ->
              throw BadManagementRequest.argument("'disposition-status' is missing or unknown");
        };
    var holder = new SessionRequests(node, request).holder();
    if (node.hasSessions() && holder == null) {
      throw new BadManagementRequest(
          410, Conditions.SESSION_LOCK_LOST, "The session is not held by this client");
    }
    var tokens = tokens();
    var overlay = ChangedProperties.of(changes(settlement));
    if (overlay != null && tokens.length > 1) {
      throw BadManagementRequest.argument(
          "Properties can be changed with a single lock token only");
    }
    var call = Call.of(request, tokens.length);
    var settle =
        new Request.Settle(
            node.port(),
            call,
            node.queue(),
            settlement,
            tokens,
            tokens.length,
            true,
            overlay == null ? null : new Overlay(overlay.length, 0),
            holder);
    return new Submission(settle, null, overlay);
  }

  private Map<String, @Nullable Object> changes(Settlement settlement) {
    var changes = new LinkedHashMap<String, @Nullable Object>();
    var given = body().get("properties-to-modify");
    if (given != null) {
      for (var entry : RequestBody.map(given, "properties-to-modify").entrySet()) {
        changes.put(entry.getKey(), entry.getValue());
      }
    }
    if (settlement == Settlement.DEAD_LETTER) {
      putText(changes, DeadLetterTexts.REASON, "deadletter-reason");
      putText(changes, DeadLetterTexts.DESCRIPTION, "deadletter-description");
    }
    return changes;
  }

  /** Python sends empty texts where none was given. */
  private void putText(Map<String, @Nullable Object> changes, String property, String key) {
    if (body().get(key) instanceof String text && !text.isEmpty()) {
      changes.put(property, text);
    }
  }

  private RequestBody body() {
    var known = body;
    if (known == null) {
      known = RequestBody.of(request);
      body = known;
    }
    return known;
  }

  private long[] numbers() {
    var items = body().items("sequence-numbers");
    var numbers = new long[items.size()];
    for (var i = 0; i < numbers.length; i++) {
      numbers[i] = RequestBody.integer(items.get(i), "sequence-numbers");
    }
    return numbers;
  }

  /** Lock ids; a token of nobody's stands for a lock that is lost. */
  private long[] tokens() {
    var items = body().items("lock-tokens");
    if (items.isEmpty()) {
      throw BadManagementRequest.argument("'lock-tokens' is empty");
    }
    var tokens = node.host().loopContext().tokens;
    var locks = new long[items.size()];
    for (var i = 0; i < locks.length; i++) {
      if (!(items.get(i) instanceof UUID token)) {
        throw BadManagementRequest.argument("'lock-tokens' must be of uuids");
      }
      locks[i] = tokens.lockOf(token);
    }
    return locks;
  }
}
