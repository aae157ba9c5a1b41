package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Message annotations of a client: which of them are kept. Those that only the broker may say are
 * dropped, as an application that sends a received message again brings them along (S-077).
 */
final class AnnotationFilter {
  private static final byte[] PREFIX = ascii("x-opt-");
  private static final byte[] PARTITION_KEY = ascii("x-opt-partition-key");
  private static final byte[] SCHEDULED = ascii("x-opt-scheduled-enqueue-time");
  private static final byte[][] OURS = {
    ascii("x-opt-sequence-number"),
    ascii("x-opt-enqueued-time"),
    ascii("x-opt-locked-until"),
    ascii("x-opt-enqueue-sequence-number"),
    ascii("x-opt-message-state"),
    ascii("x-opt-deadletter-source"),
    ascii("x-opt-lock-token"),
    ascii("x-opt-partition-id"),
  };
  private static final int MAX_KEY_CHARS = 128;

  /** Where kept runs of entries begin and end, in turns. */
  private int[] runs = new int[16];

  private int runCount;
  private int keptEntries;
  private int keptBytes;
  private @Nullable String partitionKey;
  private boolean noTextForKey;
  private long scheduledAtMillis;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  void clear() {
    runCount = 0;
    keptEntries = 0;
    keptBytes = 0;
    partitionKey = null;
    noTextForKey = false;
    scheduledAtMillis = 0;
  }

  /** Walks the map that the reader is at. */
  void inspect(ByteBuf buffer, AmqpReader map) {
    if (map.readNull()) {
      return;
    }
    var count = map.enterMap();
    for (var i = 0; i < count; i += 2) {
      var start = map.position();
      if (isOurs(buffer, map)) {
        map.skip();
      } else {
        keep(start, map.position());
      }
    }
  }

  private void keep(int start, int end) {
    if (runCount > 0 && runs[runCount - 1] == start) {
      runs[runCount - 1] = end;
    } else {
      if (runCount == runs.length) {
        runs = Arrays.copyOf(runs, runCount * 2);
      }
      runs[runCount++] = start;
      runs[runCount++] = end;
    }
    keptEntries++;
    keptBytes += end - start;
  }

  /** Reads a key, and the value too unless the key is ours. */
  private boolean isOurs(ByteBuf buffer, AmqpReader map) {
    var code = map.peekCode();
    if (!FormatCode.isText(code)) {
      map.skip();
      map.skip();
      return false;
    }
    var length = map.readContent();
    var at = map.contentOffset();
    if (!startsWith(buffer, at, length, PREFIX)) {
      map.skip();
      return false;
    }
    for (var ours : OURS) {
      if (length == ours.length && startsWith(buffer, at, length, ours)) {
        return true;
      }
    }
    readValue(buffer, map, at, length);
    return false;
  }

  private void readValue(ByteBuf buffer, AmqpReader map, int key, int keyLength) {
    var code = map.peekCode();
    if (code == FormatCode.TIMESTAMP && equals(buffer, key, keyLength, SCHEDULED)) {
      scheduledAtMillis = map.readTimestamp();
    } else if (FormatCode.isText(code) && equals(buffer, key, keyLength, PARTITION_KEY)) {
      var length = map.readContent();
      partitionKey = buffer.toString(map.contentOffset(), length, StandardCharsets.UTF_8);
    } else {
      noTextForKey |= code != FormatCode.NULL && equals(buffer, key, keyLength, PARTITION_KEY);
      map.skip();
    }
  }

  private static boolean equals(ByteBuf buffer, int at, int length, byte[] text) {
    return length == text.length && startsWith(buffer, at, length, text);
  }

  private static boolean startsWith(ByteBuf buffer, int at, int length, byte[] text) {
    if (length < text.length) {
      return false;
    }
    for (var i = 0; i < text.length; i++) {
      if (buffer.getByte(at + i) != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of the entries that are kept. */
  int keptBytes() {
    return keptBytes;
  }

  boolean partitionKeyIsNoText() {
    return noTextForKey;
  }

  boolean partitionKeyIsTooLong() {
    return partitionKey != null && partitionKey.length() > MAX_KEY_CHARS;
  }

  /** As it was sent; null without one. */
  @Nullable String partitionKey() {
    return partitionKey;
  }

  /** When the sender wants it enqueued, 0 for at once. */
  long scheduledAtMillis() {
    return scheduledAtMillis;
  }

  /** Writes the section with what is kept; nothing when that is nothing. */
  void write(ByteBuf buffer, ByteBuffer out) {
    if (keptEntries == 0) {
      return;
    }
    MessageNormalizer.descriptor(out, Descriptor.MESSAGE_ANNOTATIONS);
    out.put((byte) FormatCode.MAP32).putInt(keptBytes + 4).putInt(keptEntries * 2);
    for (var run = 0; run < runCount; run += 2) {
      MessageNormalizer.copy(buffer, runs[run], runs[run + 1] - runs[run], out);
    }
  }
}
