package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.MessageSections;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The envelope of a batch: a message whose data sections are messages (amqp.md 4.5). */
public final class BatchEnvelope {
  /** The message format that says so. */
  public static final int FORMAT = 0x80013700;

  private final MessageSections envelope = new MessageSections();

  /**
   * Reads the envelope.
   *
   * @return what is wrong with it, or null
   */
  public @Nullable MessageProblem read(ByteBuf buffer, int offset, int length) {
    if (!envelope.scanAndCheck(buffer, offset, length)) {
      return new MessageProblem(Conditions.DECODE_ERROR, envelope.problem());
    }
    var count = envelope.bodyCount();
    if (count > 0 && envelope.bodyKind() != MessageSections.BodyKind.DATA) {
      return new MessageProblem(
          Conditions.DECODE_ERROR, "The body of a batch must be of data sections");
    }
    return null;
  }

  /** How many messages it has. */
  public int count() {
    return envelope.bodyCount();
  }

  /**
   * Inspects each message and has it stored.
   *
   * @param store gets the length of the message that was inspected last; what is wrong, or null
   * @return what is wrong with the first that is not as it must be, or null
   */
  public @Nullable MessageProblem forEach(
      ByteBuf buffer, MessageNormalizer normalizer, IntFunction<@Nullable MessageProblem> store) {
    for (var at = envelope.bodyOffset(); at >= 0; ) {
      var next = envelope.nextBody(at);
      var length = envelope.contentLength();
      if (length > MessageNormalizer.LARGEST_IN_MEMORY) {
        return new MessageProblem(
            Conditions.MESSAGE_SIZE_EXCEEDED,
            "A message in the batch has "
                + length
                + " bytes; in a batch at most "
                + MessageNormalizer.LARGEST_IN_MEMORY
                + " are allowed");
      }
      var wrong = normalizer.inspect(buffer, envelope.contentOffset(), length);
      if (wrong == null) {
        wrong = store.apply(length);
      }
      if (wrong != null) {
        return wrong;
      }
      at = next;
    }
    return null;
  }
}
