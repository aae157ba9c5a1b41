package io.peeklock.amqp;

import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.kernel.EntityRequest;
import io.peeklock.kernel.Overlay;
import io.peeklock.kernel.ReceiveMode;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Settlement;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One management request, read (amqp.md 7.2). Integers of any type are taken. */
final class ManagementRequests {
  private static final String PREFIX = "com.microsoft:";
  private static final int MAX_PEEK = 250;
  private static final int MAX_ITEMS = 10_000;

  /** All or none are renewed, by one decision: no client sends more than one at a time. */
  private static final int MAX_RENEWED = 4_096;

  /** What an answer has of a message beside it, at most in general. */
  static final int BESIDE_BYTES = 512;

  private final ManagementLink link;
  private final RequestMessage request;

  /** What is wrong with a request; carries no stack, as clients cause it. */
  static final class BadRequest extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;
    private final String condition;

    BadRequest(int status, String condition, String sentence) {
      super(sentence, null, false, false);
      this.status = status;
      this.condition = condition;
    }

    int status() {
      return status;
    }

    String condition() {
      return condition;
    }

    String sentence() {
      return String.valueOf(getMessage());
    }
  }

  ManagementRequests(ManagementLink link, RequestMessage request) {
    this.link = link;
    this.request = request;
  }

  /**
   * The request for the shard.
   *
   * @return null when it is answered already
   * @throws BadRequest when it cannot be granted
   */
  @Nullable Submission toSubmission() {
    var operation = request.text("operation");
    if (operation == null) {
      throw argument("The request names no operation");
    }
    var name = operation.startsWith(PREFIX) ? operation.substring(PREFIX.length()) : operation;
    return switch (name) {
      case "renew-lock" -> renew();
      case "peek-message" -> peek();
      case "receive-by-sequence-number" -> receiveDeferred();
      case "update-disposition" -> settle();
      case "renew-session-lock", "get-session-state", "set-session-state", "get-message-sessions" ->
          new SessionRequests(link, request).toSubmission(name);
      case "schedule-message" -> new ScheduleRequest(link, request).toSubmission();
      case "cancel-scheduled-message" -> cancel();
      case "batch-delete-messages" -> delete();
      case "add-rule", "remove-rule", "enumerate-rules" ->
          new RuleRequests(link, request).toSubmission(name);
      default -> throw new BadRequest(501, Conditions.NOT_IMPLEMENTED, "The operation is unknown");
    };
  }

  private Submission renew() {
    needListen();
    var tokens = tokens();
    checkCount("lock-tokens", tokens.length, MAX_RENEWED);
    var call = ManagementLink.callOf(request, tokens.length);
    return Submission.of(new Request.Renew(link.port(), call, link.queue, tokens));
  }

  private Submission peek() {
    needListen();
    var from = integer("from-sequence-number");
    var count = integer("message-count");
    if (count < 1) {
      throw argument("'message-count' must be at least 1");
    }
    var most = (int) Math.min(count, MAX_PEEK);
    var bytes = Math.min(link.connection.limits().peekBytes(), mostBytes());
    return Submission.of(
        new Request.Peek(
            link.port(),
            ManagementLink.callOf(request, 0, toReserve(most, bytes)),
            link.queue,
            Math.max(0, from),
            most,
            bytes,
            body().get(SessionRequests.SESSION_ID) instanceof String id ? id : null));
  }

  private @Nullable Submission receiveDeferred() {
    needListen();
    var numbers = numbers();
    var mode =
        switch (Math.clamp(integer("receiver-settle-mode"), -1, 2)) {
          case 0 -> ReceiveMode.RECEIVE_AND_DELETE;
          case 1 -> ReceiveMode.PEEK_LOCK;
          default -> throw argument("'receiver-settle-mode' must be 0 or 1");
        };
    var bytes = mostBytes();
    var call = ManagementLink.callOf(request, numbers.length, toReserve(numbers.length, bytes));
    if (numbers.length == 0) {
      link.emptyList(call);
      return null;
    }
    return Submission.of(
        new Request.ReceiveDeferred(
            link.port(),
            call,
            link.queue,
            numbers,
            mode,
            new SessionRequests(link, request).holder(),
            bytes));
  }

  private long mostBytes() {
    return link.connection.holdings.mostInAnswer();
  }

  /** What is counted of an answer with so many messages before it is known which. */
  private long toReserve(int count, long mostBytes) {
    var largest = link.definition().maxMessageBytes();
    return Math.min(mostBytes, count * Math.min(largest, mostBytes)) + (long) count * BESIDE_BYTES;
  }

  private Submission cancel() {
    needSend(link);
    var numbers = numbers();
    var call = ManagementLink.callOf(request, numbers.length);
    return Submission.of(new Request.CancelScheduled(link.port(), call, link.queue, numbers));
  }

  /** S-411 to S-415; a purge is this until nothing is left (S-416). */
  private Submission delete() {
    needListen();
    var count = integer("message-count");
    if (count < 1) {
      throw argument("'message-count' must be at least 1");
    }
    var most = link.connection.edge().settings().mostDeleted();
    if (count > most) {
      throw new BadRequest(
          400,
          Conditions.ARGUMENT_OUT_OF_RANGE,
          "'message-count' is " + count + "; at most " + most + " can be deleted at a time");
    }
    if (body().get(SessionRequests.SESSION_ID) != null && !link.hasSessions()) {
      throw new BadRequest(400, Conditions.NOT_ALLOWED, "The entity does not require sessions");
    }
    if (!(body().get("enqueued-time-utc") instanceof Timestamp before)) {
      throw argument("'enqueued-time-utc' must be a timestamp");
    }
    return Submission.of(
        new EntityRequest.DeleteMessages(
            link.port(),
            ManagementLink.callOf(request, 0),
            link.queue,
            (int) count,
            before.epochMillis(),
            body().get(SessionRequests.SESSION_ID) instanceof String id ? id : null,
            new SessionRequests(link, request).holder()));
  }

  private Submission settle() {
    needListen();
    var settlement =
        switch (String.valueOf(body().get("disposition-status"))) {
          case "completed" -> Settlement.COMPLETE;
          case "abandoned" -> Settlement.ABANDON;
          case "suspended" -> Settlement.DEAD_LETTER;
          case "defered" -> Settlement.DEFER; // one r (T-46)
          case "released" -> Settlement.RELEASE;
          default -> throw argument("'disposition-status' is missing or unknown");
        };
    var holder = new SessionRequests(link, request).holder();
    if (link.hasSessions() && holder == null) {
      throw new BadRequest(
          410, Conditions.SESSION_LOCK_LOST, "The session is not held by this client");
    }
    var tokens = tokens();
    var overlay = ChangedProperties.of(changes(settlement));
    if (overlay != null && tokens.length > 1) {
      throw argument("Properties can be changed with a single lock token only");
    }
    var call = ManagementLink.callOf(request, tokens.length);
    var settle =
        new Request.Settle(
            link.port(),
            call,
            link.queue,
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
      for (var entry : map(given, "properties-to-modify").entrySet()) {
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

  private void needListen() {
    needListen(link);
  }

  static void needListen(ManagementLink link) {
    need(link, Right.LISTEN);
  }

  static void needSend(ManagementLink link) {
    need(link, Right.SEND);
  }

  private static void need(ManagementLink link, Right right) {
    if (!link.connection.rights.allow(
        link.address.resource(), right, link.connection.wallMillis())) {
      throw new BadRequest(
          401,
          Conditions.UNAUTHORIZED,
          "Unauthorized access. '"
              + right.claim()
              + "' claim(s) are required to perform this operation");
    }
  }

  // --- reading the body ---

  private Map<String, @Nullable Object> body() {
    return body(request);
  }

  static Map<String, @Nullable Object> body(RequestMessage request) {
    if (request.body() == null) {
      throw argument("The request has no body");
    }
    return map(request.body(), "The body");
  }

  static Map<String, @Nullable Object> map(Object value, String what) {
    if (!(value instanceof Map<?, ?> map)) {
      throw argument(what + " must be a map");
    }
    var texts = new LinkedHashMap<String, @Nullable Object>();
    for (var entry : map.entrySet()) {
      texts.put(String.valueOf(entry.getKey()), entry.getValue());
    }
    return texts;
  }

  private long integer(String key) {
    return integer(body().get(key), key);
  }

  static long integer(@Nullable Object value, String key) {
    if (value instanceof Unsigned unsigned) {
      return unsigned.value();
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw argument("'" + key + "' must be an integer");
  }

  /** Arrays as the SDKs send them, or lists. */
  private List<?> items(String key) {
    return items(body(), key);
  }

  static List<?> items(Map<String, @Nullable Object> body, String key) {
    var value = body.get(key);
    var items =
        value instanceof TypedArray array
            ? array.elements()
            : value instanceof List<?> l ? l : null;
    if (items == null) {
      throw argument("'" + key + "' must be an array");
    }
    checkCount(key, items.size(), MAX_ITEMS);
    return items;
  }

  private static void checkCount(String key, int count, int most) {
    if (count > most) {
      throw new BadRequest(
          400,
          Conditions.ARGUMENT_OUT_OF_RANGE,
          "'" + key + "' has more than " + most + " entries");
    }
  }

  private long[] numbers() {
    var items = items("sequence-numbers");
    var numbers = new long[items.size()];
    for (var i = 0; i < numbers.length; i++) {
      numbers[i] = integer(items.get(i), "sequence-numbers");
    }
    return numbers;
  }

  /** Lock ids; a token of nobody's stands for a lock that is lost. */
  private long[] tokens() {
    var items = items("lock-tokens");
    if (items.isEmpty()) {
      throw argument("'lock-tokens' is empty");
    }
    var tokens = link.connection.loopContext().tokens;
    var locks = new long[items.size()];
    for (var i = 0; i < locks.length; i++) {
      if (!(items.get(i) instanceof UUID token)) {
        throw argument("'lock-tokens' must be of uuids");
      }
      locks[i] = tokens.lockOf(token);
    }
    return locks;
  }

  static BadRequest argument(String sentence) {
    return new BadRequest(400, Conditions.ARGUMENT_ERROR, sentence);
  }
}
