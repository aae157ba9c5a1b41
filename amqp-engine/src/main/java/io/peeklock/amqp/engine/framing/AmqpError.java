package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBufUtil;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An {@code error}, sent to a peer or received from it (2.8.14). Written with all three fields.
 *
 * @param condition the symbol, for example {@code amqp:not-found}
 * @param description the sentence for people; null is written as null
 * @param info more facts under symbol keys, in the Java types of {@code AmqpValues}; empty is
 *     written as null
 */
public record AmqpError(
    String condition, @Nullable String description, Map<String, @Nullable Object> info) {
  /** {@code amqp:internal-error}. */
  public static final String INTERNAL_ERROR = "amqp:internal-error";

  /** {@code amqp:not-allowed}. */
  public static final String NOT_ALLOWED = "amqp:not-allowed";

  /** {@code amqp:illegal-state}. */
  public static final String ILLEGAL_STATE = "amqp:illegal-state";

  /** {@code amqp:decode-error}. */
  public static final String DECODE_ERROR = "amqp:decode-error";

  /** {@code amqp:invalid-field}. */
  public static final String INVALID_FIELD = "amqp:invalid-field";

  /** {@code amqp:resource-limit-exceeded}. */
  public static final String RESOURCE_LIMIT_EXCEEDED = "amqp:resource-limit-exceeded";

  /** {@code amqp:connection:framing-error}. */
  public static final String FRAMING_ERROR = "amqp:connection:framing-error";

  /** {@code amqp:connection:forced}. */
  public static final String CONNECTION_FORCED = "amqp:connection:forced";

  /** {@code amqp:session:handle-in-use}. */
  public static final String HANDLE_IN_USE = "amqp:session:handle-in-use";

  /** {@code amqp:unauthorized-access}. */
  public static final String UNAUTHORIZED_ACCESS = "amqp:unauthorized-access";

  /** What a frame holds beside condition, description and info, at most: a disposition's. */
  private static final int BESIDE_BYTES = 128;

  /** An entry of the info, roughly: the ones that are sent are short. */
  private static final int ENTRY_BYTES = 64;

  public AmqpError {
    info = Collections.unmodifiableMap(new LinkedHashMap<>(info));
  }

  /**
   * The same with no more of its description than fits into one frame: its beginning and its end,
   * where broker and client name what to search the log for. No frame may be larger than its
   * receiver takes (2.7.1), and an error cannot go on in a second one.
   *
   * @param frameBytes the largest frame, from 512
   */
  public AmqpError fitting(int frameBytes) {
    if (description == null) {
      return this;
    }
    int most = frameBytes - BESIDE_BYTES - condition.length() - info.size() * ENTRY_BYTES;
    return ByteBufUtil.utf8Bytes(description) <= most
        ? this
        : new AmqpError(condition, Excerpt.of(description, most), info);
  }

  /** An error without info. */
  public static AmqpError of(String condition, @Nullable String description) {
    return new AmqpError(condition, description, Map.of());
  }
}
