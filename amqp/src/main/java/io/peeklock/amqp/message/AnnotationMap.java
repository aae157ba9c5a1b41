package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.FormatCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A map of annotations of a client as it is stored: without the entries that are the broker's, and
 * with symbols for keys that came as strings. Java writes some keys as strings and cannot read such
 * ones: its receiver ends, whoever wrote the message. Values are kept byte for byte.
 */
class AnnotationMap {
  /** From the constructor of a string to that of a symbol of the same size. */
  private static final int FROM_STRING_TO_SYMBOL = FormatCode.SYM8 - FormatCode.STR8;

  private final long section;
  private final byte[][] ours;

  /** Where kept runs of entries begin and end, in turns. */
  private int[] runs = new int[16];

  /** Where the constructors of kept keys are that came as strings. */
  private int[] strings = new int[16];

  private int runCount;
  private int stringCount;
  private int keptEntries;
  private int keptBytes;
  private boolean isWhole;

  /**
   * One for a kind of section.
   *
   * @param section its descriptor
   * @param ours keys of entries that are dropped
   */
  AnnotationMap(long section, byte[]... ours) {
    this.section = section;
    this.ours = ours;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  void clear() {
    runCount = 0;
    stringCount = 0;
    keptEntries = 0;
    keptBytes = 0;
    isWhole = false;
  }

  /** Walks the map that the reader is at. */
  final void inspect(ByteBuf buffer, AmqpReader map) {
    if (map.readNull()) {
      return;
    }
    var begin = map.position();
    var count = map.enterMap();
    for (var i = 0; i < count; i += 2) {
      var start = map.position();
      var code = map.peekCode();
      if (!FormatCode.isText(code)) {
        map.skip();
        map.skip();
      } else if (isOurs(buffer, map)) {
        map.skip();
        continue;
      } else if (code == FormatCode.STR8 || code == FormatCode.STR32) {
        noteString(start);
      }
      keep(start, map.position());
    }
    if (keptEntries > 0 && 2 * keptEntries == count) {
      isWhole = true;
      runs[0] = begin; // which is all one run
    }
  }

  private void noteString(int at) {
    if (stringCount == strings.length) {
      strings = Arrays.copyOf(strings, stringCount * 2);
    }
    strings[stringCount++] = at;
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
    var length = map.readContent();
    var at = map.contentOffset();
    for (var key : ours) {
      if (equals(buffer, at, length, key)) {
        return true;
      }
    }
    readValue(buffer, map, at, length);
    return false;
  }

  /**
   * Moves behind the value of an entry that is kept.
   *
   * @param key where its key begins
   */
  void readValue(ByteBuf buffer, AmqpReader map, int key, int keyLength) {
    map.skip();
  }

  static boolean equals(ByteBuf buffer, int at, int length, byte[] text) {
    if (length != text.length) {
      return false;
    }
    for (var i = 0; i < length; i++) {
      if (buffer.getByte(at + i) != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of the entries that are kept. */
  final int keptBytes() {
    return keptBytes;
  }

  /** Writes the section with what is kept; nothing when that is nothing. */
  final void write(ByteBuf buffer, ByteBuffer out) {
    if (keptEntries == 0) {
      return;
    }
    MessageNormalizer.descriptor(out, section);
    if (!isWhole) {
      out.put((byte) FormatCode.MAP32).putInt(keptBytes + 4).putInt(keptEntries * 2);
    }
    var next = 0;
    for (var run = 0; run < runCount; run += 2) {
      var start = runs[run];
      var end = runs[run + 1];
      var at = out.position();
      MessageNormalizer.copy(buffer, start, end - start, out);
      for (; next < stringCount && strings[next] < end; next++) {
        var key = at + strings[next] - start;
        out.put(key, (byte) (out.get(key) + FROM_STRING_TO_SYMBOL));
      }
    }
  }
}
