package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.FormatCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * 128 bits that stand for a message id where duplicates are detected (S-266): the beginning of its
 * SHA-256, so that nobody can make two ids that are taken for one. A text is the same in its short
 * and its long form; ids of different types are never the same. One for each event loop.
 */
public final class MessageIdHash {
  private final MessageDigest digest;
  private final AmqpReader reader = new AmqpReader();
  private final byte[] result = new byte[32];
  private final ByteBuffer numbers = ByteBuffer.wrap(result);

  /** Ready for use. */
  public MessageIdHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Puts the two numbers of an encoded id in place. */
  public void of(ByteBuf buffer, int offset, int length, long[] to, int at) {
    of(buffer, offset, length, null, to, at);
  }

  /**
   * The same, where the id counts together with what chooses the partition (S-270).
   *
   * @param key the session id or partition key; null for none
   */
  public void of(ByteBuf buffer, int offset, int length, @Nullable String key, long[] to, int at) {
    if (key != null) {
      digest.update(key.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0); // no type's code, which comes next
    }
    var code = buffer.getUnsignedByte(offset);
    var text = code == FormatCode.STR8 || code == FormatCode.STR32;
    digest.update((byte) (text ? FormatCode.STR8 : code));
    reader.reset(buffer, offset, length);
    var from = offset + 1;
    var bytes = length - 1;
    if (text) {
      bytes = reader.readContent();
      from = reader.contentOffset();
    }
    digest.update(buffer.nioBuffer(from, bytes));
    try {
      digest.digest(result, 0, result.length);
    } catch (DigestException impossible) {
      throw new IllegalStateException("32 bytes are enough for SHA-256", impossible);
    }
    to[at] = numbers.getLong(0);
    to[at + 1] = numbers.getLong(8) | 1; // two zeroes stand for no id
  }
}
