package io.peeklock.codec;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one record. Input is not trusted: a count is checked against the remaining
 * bytes before anything is allocated for it, so damaged input never costs more than eight times its
 * size.
 */
final class FactReader {
  private static final int MAX_BYTES_OF_NUMBER = 10;

  private final ByteBuffer in;

  FactReader(ByteBuffer in) {
    this.in = in;
  }

  int left() {
    return in.remaining();
  }

  int oneByte() throws UnreadableFact {
    if (!in.hasRemaining()) {
      throw new UnreadableFact("a record ends too early");
    }
    return in.get() & 0xFF;
  }

  boolean flag() throws UnreadableFact {
    return switch (oneByte()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new UnreadableFact("a flag is neither 0 nor 1");
    };
  }

  DeadLetterCause cause() throws UnreadableFact {
    var code = oneByte();
    var cause = DeadLetterCause.withCode(code);
    if (cause == null) {
      throw new UnreadableFact("cause of dead-lettering " + code + " is not known");
    }
    return cause;
  }

  long unsigned() throws UnreadableFact {
    var value = 0L;
    for (var i = 0; i < MAX_BYTES_OF_NUMBER; i++) {
      var next = oneByte();
      value |= (next & 0x7FL) << (7 * i);
      if ((next & 0x80) == 0) {
        return value;
      }
    }
    throw new UnreadableFact("a number has more than 10 bytes");
  }

  long signed() throws UnreadableFact {
    var value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  int natural() throws UnreadableFact {
    var value = unsigned();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new UnreadableFact("a count or size is out of range");
    }
    return (int) value;
  }

  /** How many elements follow, each of at least one byte. */
  int count() throws UnreadableFact {
    var count = natural();
    if (count > in.remaining()) {
      throw new UnreadableFact(
          "a record claims " + count + " elements in " + in.remaining() + " bytes");
    }
    return count;
  }

  String text() throws UnreadableFact {
    var bytes = count();
    var slice = in.slice(in.position(), bytes);
    in.position(in.position() + bytes);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(slice).toString();
    } catch (CharacterCodingException notText) {
      throw new UnreadableFact("a text is not UTF-8");
    }
  }

  byte[] bytes() throws UnreadableFact {
    var bytes = new byte[count()];
    in.get(bytes);
    return bytes;
  }

  long[] distances(int count, long start) throws UnreadableFact {
    var values = new long[count];
    var before = start;
    for (var i = 0; i < count; i++) {
      before += signed();
      values[i] = before;
    }
    return values;
  }

  long[] words(int count) throws UnreadableFact {
    if ((long) count * Long.BYTES > in.remaining()) {
      throw new UnreadableFact("a record ends too early");
    }
    var values = new long[count];
    for (var i = 0; i < count; i++) {
      values[i] = Long.reverseBytes(in.getLong());
    }
    return values;
  }

  int[] naturals(int count) throws UnreadableFact {
    var values = new int[count];
    for (var i = 0; i < count; i++) {
      values[i] = natural();
    }
    return values;
  }

  QueueId queue() throws UnreadableFact {
    return new QueueId(natural());
  }

  /** The sequence numbers of messages of the queue that was read before. */
  long[] sequenceNumbers() throws UnreadableFact {
    return distances(count(), 0);
  }

  DeadLetterCause[] causes(int count) throws UnreadableFact {
    var causes = new DeadLetterCause[count];
    Arrays.fill(causes, DeadLetterCause.NONE);
    for (var i = 0; i < count; i++) {
      causes[i] = cause();
    }
    return causes;
  }

  Fact.@Nullable StoredOverlay overlay() throws UnreadableFact {
    return flag() ? new Fact.StoredOverlay(unsigned(), natural()) : null;
  }

  /** Texts that repeat, as {@link FactWriter#texts} has them. */
  String[] texts(int count) throws UnreadableFact {
    var known = new ArrayList<String>();
    var texts = new String[count];
    for (var i = 0; i < count; i++) {
      var place = natural();
      if (place > known.size()) {
        throw new UnreadableFact("a session id is named before it came");
      }
      texts[i] = place == 0 ? text() : known.get(place - 1);
      if (place == 0) {
        known.add(texts[i]);
      }
    }
    return texts;
  }
}
