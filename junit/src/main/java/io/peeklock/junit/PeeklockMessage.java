package io.peeklock.junit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message as it lies in an entity; looking at it changes nothing. */
public final class PeeklockMessage {
  private static final int SHOWN_CHARS = 60;

  private final ReceivedMessage message;

  /** Where a message stands. */
  public enum State {
    /** Receivable, or locked by a receiver. */
    ACTIVE,
    /** Set aside; received by its number only. */
    DEFERRED,
    /** Waiting for its time. */
    SCHEDULED
  }

  PeeklockMessage(ReceivedMessage message) {
    this.message = message;
  }

  /** The number that the broker gave it. */
  public long sequenceNumber() {
    return message.stored().sequenceNumber();
  }

  /** Where it stands. */
  public State state() {
    return switch (message.stored().state()) {
      case ACTIVE -> State.ACTIVE;
      case DEFERRED -> State.DEFERRED;
      case SCHEDULED -> State.SCHEDULED;
    };
  }

  /** A copy of its body; empty for one of more than a megabyte. */
  public byte[] body() {
    return message.body().clone();
  }

  /** Its body as UTF-8. */
  public String text() {
    return new String(message.body(), UTF_8);
  }

  /** The id that its sender gave it, or that it was given. */
  public @Nullable String messageId() {
    return message.texts().get(TextProperty.MESSAGE_ID);
  }

  /** What it is about; null for nothing. */
  public @Nullable String subject() {
    return message.texts().get(TextProperty.SUBJECT);
  }

  /** The session that it belongs to; null for none. */
  public @Nullable String sessionId() {
    return message.texts().get(TextProperty.SESSION_ID);
  }

  /** What it answers; null for nothing. */
  public @Nullable String correlationId() {
    return message.texts().get(TextProperty.CORRELATION_ID);
  }

  /** How its body is to be read; null where the sender does not say. */
  public @Nullable String contentType() {
    return message.texts().get(TextProperty.CONTENT_TYPE);
  }

  /** Its application properties by name; integers of all sizes are Long. */
  public Map<String, Object> properties() {
    return message.applicationProperties();
  }

  /** How many deliveries of it failed. */
  public int deliveryCount() {
    return message.stored().failedDeliveries();
  }

  /** When it was enqueued, by the broker's time. */
  public Instant enqueuedAt() {
    return Instant.ofEpochMilli(message.stored().enqueuedAtMillis());
  }

  /** For when it was scheduled; null when it was not. */
  public @Nullable Instant scheduledFor() {
    var due = message.stored().dueAtMillis();
    return due == 0 ? null : Instant.ofEpochMilli(due);
  }

  /** Why it is a dead letter; null when nobody said, or it is none. */
  public @Nullable String deadLetterReason() {
    return message.applicationProperties().get("DeadLetterReason") instanceof String reason
        ? reason
        : null;
  }

  /** One line for people. */
  @Override
  public String toString() {
    var text = text();
    var shown = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
    return "#"
        + sequenceNumber()
        + " "
        + state()
        + " \""
        + shown
        + "\" id="
        + messageId()
        + (sessionId() == null ? "" : " session=" + sessionId())
        + (properties().isEmpty() ? "" : " " + properties())
        + (deliveryCount() == 0 ? "" : " deliveries=" + deliveryCount());
  }
}
