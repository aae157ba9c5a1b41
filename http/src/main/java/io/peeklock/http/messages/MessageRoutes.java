package io.peeklock.http.messages;

import io.peeklock.http.Authorisation;
import io.peeklock.http.BodySink;
import io.peeklock.http.ErrorBody;
import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.http.HttpHandler;
import io.peeklock.http.RequestHead;
import io.peeklock.http.Route;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.BodyIntake;
import io.peeklock.runtime.message.Messages;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The operations of the runtime API (runtime-http.md 1). Nothing here waits: a receive is a request
 * that is answered later, and taken back when its peer goes away.
 */
public final class MessageRoutes {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(MessageRoutes.class));

  private static final RateLimitedLog LOST =
      new RateLimitedLog(LoggerFactory.getLogger(MessageRoutes.class));

  /** Larger ones go to a file as they arrive; a batch is never larger. */
  private static final long HELD_BYTES = 1 << 20;

  private static final long DEFAULT_WAIT_SECONDS = 60;
  private static final long LONGEST_WAIT_SECONDS = 86_400;

  private static final HttpAnswer SENT = Answers.done(201);

  private final Messages messages;
  private final Authorisation authorisation;

  private MessageRoutes(Messages messages, Authorisation authorisation) {
    this.messages = messages;
    this.authorisation = authorisation;
  }

  /** To be mounted before anything that takes any path. */
  public static List<Route> routes(Messages messages, Authorisation authorisation) {
    var api = new MessageRoutes(messages, authorisation);
    return List.of(
        new Route(MessageRoutes::isBatch, List.of("POST"), HELD_BYTES, List.of(), api::sendBatch)
            .trusting(api::trusts),
        route(MessagePath.Kind.ALL, List.of("POST"), HELD_BYTES, api::send)
            .withLarge(api::begin)
            .trusting(api::trusts),
        route(MessagePath.Kind.HEAD, List.of("POST", "DELETE"), 0, api::receive),
        route(MessagePath.Kind.LOCK, List.of("DELETE", "PUT", "POST"), 0, api::lock));
  }

  private static Route route(
      MessagePath.Kind kind, List<String> methods, long bodyBytes, HttpHandler handler) {
    return new Route(
        head -> MessagePath.isAsked(head, kind), methods, bodyBytes, List.of(), handler);
  }

  private boolean trusts(HttpCall call) {
    return authorisation.isGood(call, call.head().path().substring(1));
  }

  /** The path, when the peer may do this there; otherwise it is answered. */
  private Optional<MessagePath> allowed(HttpCall call, Right right) {
    var path = MessagePath.of(call.head().path());
    // The whole path: a token may be for the entity, for what is above it, or for this address.
    var refusal = authorisation.refusal(call, call.head().path().substring(1), right);
    if (refusal != null) {
      call.answer(refusal);
      return Optional.empty();
    }
    return path;
  }

  // --- send ---

  /** What is to be sent, as a request tells it. */
  private interface Reading {
    List<OutgoingMessage> read() throws BadRequest;
  }

  private static boolean isBatch(RequestHead head) {
    return head.method().equals("POST")
        && BatchBody.isMeant(head.header("Content-Type"))
        && MessagePath.isAsked(head, MessagePath.Kind.ALL);
  }

  private void send(HttpCall call) {
    send(call, () -> List.of(message(call.head(), call.body().nioBuffer())));
  }

  private void sendBatch(HttpCall call) {
    send(call, () -> BatchBody.read(call.body()));
  }

  private void send(HttpCall call, Reading reading) {
    var path = allowed(call, Right.SEND);
    if (path.isEmpty()) {
      return;
    }
    var entity = path.get().entity();
    try {
      var read = reading.read();
      if (read.isEmpty()) {
        call.answer(SENT); // S-409
      } else {
        answerLater(call, entity, messages.send(entity, read), sent -> call.answer(SENT));
      }
    } catch (BadRequest bad) {
      refuse(call, entity, bad);
    }
  }

  private static void refuse(HttpCall call, String entity, BadRequest bad) {
    call.answer(ErrorBody.of(call.head(), entity, 400, "SubCode=40000. " + bad.sentence()));
  }

  /** Judges a message by its head, before any of its body is asked for. */
  private @Nullable BodySink begin(HttpCall call, long length) {
    var path = allowed(call, Right.SEND);
    if (path.isEmpty()) {
      return null;
    }
    var entity = path.get().entity();
    try {
      var begun = messages.begin(entity, message(call.head(), ByteBuffer.allocate(0)), length);
      if (begun instanceof Answer.Given<BodyIntake> given) {
        var intake = given.value();
        answerLater(call, entity, intake.answer(), sent -> call.answer(SENT));
        return new MessageBody(call, intake, () -> allowed(call, Right.SEND).isPresent());
      }
      tell(call, entity, begun, none -> {});
    } catch (BadRequest bad) {
      refuse(call, entity, bad);
    }
    return null;
  }

  private static OutgoingMessage message(RequestHead head, ByteBuffer body) throws BadRequest {
    var draft = new MessageDraft();
    var properties =
        head.headers().stream()
            .filter(header -> header.getKey().equalsIgnoreCase("BrokerProperties"))
            .toList();
    if (properties.size() > 1) {
      throw new BadRequest("the header 'BrokerProperties' is there twice");
    }
    if (!properties.isEmpty()) {
      BrokerProperties.read(properties.getFirst().getValue(), draft);
    }
    PropertyHeaders.read(head.headers(), draft);
    var contentType = head.header("Content-Type");
    if (contentType != null) {
      draft.texts.put(TextProperty.CONTENT_TYPE, contentType);
    }
    draft.body = body;
    return draft.message();
  }

  // --- receive ---

  private void receive(HttpCall call) {
    var path = allowed(call, Right.LISTEN);
    if (path.isEmpty()) {
      return;
    }
    var entity = path.get().entity();
    var seconds = seconds(call.head().query("timeout"));
    if (seconds < 0) {
      var sentence = "SubCode=40000. 'timeout' must be a number of seconds from 0";
      call.answer(ErrorBody.of(call.head(), entity, 400, sentence));
      return;
    }
    var mode =
        call.head().method().equals("POST")
            ? ReceiveMode.PEEK_LOCK
            : ReceiveMode.RECEIVE_AND_DELETE;
    var received = messages.receive(new ReceiveOrder(entity, mode, seconds * 1_000));
    answerLater(call, entity, received, message -> answer(call, entity, message));
    call.whenGone(() -> received.cancel(false));
  }

  /** Negative when it is none. Nobody waits longer than a day. */
  private static long seconds(@Nullable String timeout) {
    if (timeout == null) {
      return DEFAULT_WAIT_SECONDS;
    }
    var isNumber =
        !timeout.isEmpty()
            && timeout.length() <= 10
            && timeout.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Math.min(LONGEST_WAIT_SECONDS, Long.parseLong(timeout)) : -1;
  }

  private void answer(HttpCall call, String entity, Optional<ReceivedMessage> received) {
    if (received.isEmpty()) {
      call.answer(HttpAnswer.empty(204));
      return;
    }
    var message = received.get();
    HttpAnswer answer;
    try {
      answer = Answers.of(call, entity, message);
    } catch (RuntimeException | Error fault) {
      message.drop();
      undo(entity, message);
      if (message.lock() != null) {
        throw fault;
      }
      FAULTS.error(fault, "The answer with a message of {} could not be made", entity);
      call.answer(ErrorBody.of(call.head(), entity, 500, "SubCode=50000. " + lost(message)));
      return;
    }
    call.answer(answer, message.taken(), () -> undo(entity, message));
  }

  private static String lost(ReceivedMessage message) {
    return "The broker failed to say message "
        + message.stored().sequenceNumber()
        + ", which was received and deleted, and is lost; its log says why";
  }

  /**
   * Gives back what nobody was told of. That is counted, so that a message that can never be told
   * does not come for ever. One with a rest is given back with it. One that was received and
   * deleted is in no queue any more: it is lost, and told.
   */
  private void undo(String entity, ReceivedMessage message) {
    var lock = message.lock();
    if (lock == null) {
      LOST.error("{} ({})", lost(message), entity);
    } else if (message.rest() == null) {
      var unused = messages.settle(entity, lock.token(), Settlement.ABANDON);
    }
  }

  // --- locks ---

  private void lock(HttpCall call) {
    var path = allowed(call, Right.LISTEN);
    if (path.isEmpty()) {
      return;
    }
    var entity = path.get().entity();
    if (!path.get().hasToken()) {
      refuse(call, entity, new Refusal.MessageLockLost());
      return;
    }
    var token = UUID.fromString(path.get().token());
    switch (call.head().method()) {
      case "DELETE" -> settle(call, entity, token, Settlement.COMPLETE);
      case "PUT" -> settle(call, entity, token, Settlement.ABANDON);
      default ->
          answerLater(
              call, entity, messages.renew(entity, token), until -> call.answer(Answers.done(200)));
    }
  }

  private void settle(HttpCall call, String entity, UUID token, Settlement settlement) {
    answerLater(
        call,
        entity,
        messages.settle(entity, token, settlement),
        done -> call.answer(Answers.done(200)));
  }

  // --- answers ---

  private static <T> void answerLater(
      HttpCall call, String entity, CompletableFuture<Answer<T>> asked, Consumer<T> given) {
    var unused =
        asked.handle(
            (answer, failed) -> {
              call.attempt(
                  () -> {
                    if (failed != null) {
                      fail(call, entity, failed);
                    } else {
                      tell(call, entity, answer, given);
                    }
                  });
              return call;
            });
  }

  private static <T> void tell(HttpCall call, String entity, Answer<T> answer, Consumer<T> given) {
    switch (answer) {
      case Answer.Given<T> value -> given.accept(value.value());
      case Answer.Refused<T> refused -> refuse(call, entity, refused.refusal());
      case Answer.Unfit<T> unfit ->
          say(call, entity, MessageRefusals.of(unfit.misfit(), unfit.sentence()));
    }
  }

  private static void refuse(HttpCall call, String entity, Refusal refusal) {
    say(call, entity, MessageRefusals.of(refusal, call.head().authority(), entity));
  }

  private static void say(HttpCall call, String entity, MessageRefusals.Shape shape) {
    call.answer(ErrorBody.of(call.head(), entity, shape.status(), shape.detail()));
  }

  private static void fail(HttpCall call, String entity, Throwable failed) {
    if (failed instanceof CancellationException) {
      return; // the peer is gone, or its body was small after all and is sent as a whole
    }
    FAULTS.error(failed, "{} of messages of {} failed", call.head().method(), entity);
    call.answer(
        ErrorBody.of(
            call.head(), entity, 500, "SubCode=50000. The broker failed; its log says why"));
  }
}
