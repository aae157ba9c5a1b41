package io.peeklock.codec;

import io.peeklock.kernel.fact.Fact;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Facts ↔ bytes. A record is its type (1 byte), the version of that type (1), the length of what
 * follows (4, little endian), and the fields; {@code docs/internals/journal-format.md} has them
 * all, and a {@link FactLayout} writes and reads those of each type. An unknown type or version is
 * refused, never skipped: a log that is half understood is half lost.
 *
 * <p>Stateless; may be called from any thread.
 */
public final class FactCodec {
  private static final int HEADER_BYTES = 6;

  private FactCodec() {}

  /** The bytes that {@link #encode} takes for some facts, exactly. */
  public static long bytes(List<Fact> facts) {
    var meter = new RecordMeter(); // counts what the same layouts would write
    for (var i = 0; i < facts.size(); i++) {
      var fact = facts.get(i);
      FactLayouts.of(fact).write(fact, meter);
    }
    return (long) HEADER_BYTES * facts.size() + meter.bytes();
  }

  /**
   * Writes facts at the buffer's position, which moves, if they fit: trying costs less than
   * counting first when there is nearly always room.
   *
   * @param out little endian; bytes after its position may have changed when they do not fit
   * @return whether they fit; if not the position is where it was
   */
  public static boolean encodeIfRoom(List<Fact> facts, ByteBuffer out) {
    var start = out.position();
    try {
      encode(facts, out);
      return true;
    } catch (BufferOverflowException full) {
      out.position(start);
      return false;
    }
  }

  /**
   * Writes facts at the buffer's position, which moves.
   *
   * @param out with at least {@link #bytes} remaining, little endian
   * @throws BufferOverflowException when less remains
   */
  public static void encode(List<Fact> facts, ByteBuffer out) {
    if (out.order() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException("records are little endian");
    }
    var fields = new RecordWriter(out);
    for (var i = 0; i < facts.size(); i++) {
      var fact = facts.get(i);
      var layout = FactLayouts.of(fact);
      var start = out.position();
      out.put((byte) layout.number()).put((byte) layout.version()).putInt(0);
      layout.write(fact, fields);
      out.putInt(start + 2, out.position() - start - HEADER_BYTES);
    }
  }

  /**
   * Reads facts from the buffer's position to its limit.
   *
   * @throws UnreadableFact when a record has an unknown type or version, or is damaged
   */
  public static List<Fact> decodeAll(ByteBuffer in) throws UnreadableFact {
    var records = in.slice().order(ByteOrder.LITTLE_ENDIAN);
    var facts = new ArrayList<Fact>();
    while (records.hasRemaining()) {
      facts.add(decode(records));
    }
    return facts;
  }

  private static Fact decode(ByteBuffer in) throws UnreadableFact {
    if (in.remaining() < HEADER_BYTES) {
      throw new UnreadableFact("a record's header ends too early");
    }
    var type = in.get() & 0xFF;
    var version = in.get() & 0xFF;
    var length = in.getInt();
    var layout = FactLayouts.withNumber(type);
    if (layout == null || !layout.reads(version)) {
      throw new UnreadableFact("record type " + type + " version " + version + " is not known");
    }
    if (length < 0 || length > in.remaining()) {
      throw new UnreadableFact(
          "a record claims " + length + " bytes, " + in.remaining() + " are left");
    }
    var fields = new FactReader(in.slice(in.position(), length));
    in.position(in.position() + length);
    Fact fact;
    try {
      fact = layout.read(version, fields);
    } catch (IllegalArgumentException outOfRange) {
      throw new UnreadableFact("a value is out of range: " + outOfRange.getMessage());
    }
    if (fields.left() != 0) {
      throw new UnreadableFact("a record of type " + type + " has bytes left over");
    }
    return fact;
  }
}
