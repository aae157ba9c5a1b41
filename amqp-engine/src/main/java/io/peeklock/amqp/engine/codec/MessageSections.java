package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/**
 * Finds the sections of an encoded message. Reusable and without garbage: the result is a set of
 * absolute offsets into the scanned buffer, valid until the next scan.
 *
 * <p>Sections may come in any order (Python writes delivery annotations last), each at most once
 * except data and sequence, which may repeat side by side; the body may be missing. "Section"
 * offsets start at the descriptor, "value" offsets at the described value. An absent section has
 * offset -1 and length 0.
 */
public final class MessageSections {
  /** The kinds of sections other than the body; each occurs at most once. */
  public enum Section {
    HEADER(0),
    DELIVERY_ANNOTATIONS(1),
    MESSAGE_ANNOTATIONS(2),
    PROPERTIES(3),
    APPLICATION_PROPERTIES(4),
    FOOTER(5);

    private final int index;

    Section(int index) {
      this.index = index;
    }
  }

  /** What the body consists of. */
  public enum BodyKind {
    NONE,
    DATA,
    SEQUENCE,
    VALUE
  }

  private static final int KINDS = 6;

  private final AmqpReader reader = new AmqpReader();
  private final ValueCheck check = new ValueCheck();
  private final int[] offsets = new int[KINDS];
  private final int[] valueOffsets = new int[KINDS];
  private final int[] lengths = new int[KINDS];
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int end;
  private BodyKind bodyKind = BodyKind.NONE;
  private int bodyOffset = -1;
  private int bodyEnd;
  private int bodyCount;
  private int contentOffset;
  private int contentLength;
  private boolean checking;
  private String problem = "";

  /**
   * Finds the sections by their heads only. For bytes that were checked before.
   *
   * @return false when the bytes are no message; {@link #problem} says why
   */
  public boolean scan(ByteBuf source, int offset, int length) {
    checking = false;
    return scanAll(source, offset, length);
  }

  /**
   * As {@link #scan}, and checks every value inside with {@link ValueCheck}: for bytes from a
   * client. The decoding budget is shared by all sections except the body, which is usually not
   * decoded.
   */
  public boolean scanAndCheck(ByteBuf source, int offset, int length) {
    checking = true;
    check.start(length);
    return scanAll(source, offset, length);
  }

  /** What is wrong with the bytes scanned last, in words. */
  public String problem() {
    return problem;
  }

  public boolean has(Section section) {
    return offsets[section.index] >= 0;
  }

  /** The absolute index of the section's descriptor, or -1. */
  public int offset(Section section) {
    return offsets[section.index];
  }

  /** How many bytes the section takes, descriptor included, or 0. */
  public int length(Section section) {
    return lengths[section.index];
  }

  /** The absolute index of the section's value (a list or a map), or -1. */
  public int valueOffset(Section section) {
    return valueOffsets[section.index];
  }

  public BodyKind bodyKind() {
    return bodyKind;
  }

  /** The absolute index of the first body section's descriptor, or -1. */
  public int bodyOffset() {
    return bodyOffset;
  }

  /** How many bytes all body sections take together, descriptors included. */
  public int bodyLength() {
    return bodyOffset < 0 ? 0 : bodyEnd - bodyOffset;
  }

  /** How many body sections there are. */
  public int bodyCount() {
    return bodyCount;
  }

  /**
   * Walks over the body sections: start with {@link #bodyOffset}, go on with what this returns
   * until it is -1. {@link #contentOffset} and {@link #contentLength} then say where the bytes of
   * this data section are (for other kinds: the whole value).
   */
  public int nextBody(int sectionOffset) {
    reader.reset(buffer, sectionOffset, bodyEnd - sectionOffset).readDescriptor();
    if (bodyKind == BodyKind.DATA) {
      contentLength = reader.readContent();
      contentOffset = reader.contentOffset();
    } else {
      contentOffset = reader.position();
      reader.skip();
      contentLength = reader.position() - contentOffset;
    }
    return reader.hasMore() ? reader.position() : -1;
  }

  public int contentOffset() {
    return contentOffset;
  }

  public int contentLength() {
    return contentLength;
  }

  private boolean scanAll(ByteBuf source, int offset, int length) {
    clear(source, offset, length);
    try {
      while (reader.hasMore() && section()) {
        // Each round takes one section.
      }
    } catch (AmqpDecodeException malformed) {
      problem = String.valueOf(malformed.getMessage());
    }
    return problem.isEmpty();
  }

  private void clear(ByteBuf source, int offset, int length) {
    buffer = source;
    end = offset + length;
    Arrays.fill(offsets, -1);
    Arrays.fill(valueOffsets, -1);
    Arrays.fill(lengths, 0);
    bodyKind = BodyKind.NONE;
    bodyOffset = -1;
    bodyCount = 0;
    problem = "";
    reader.reset(source, offset, length);
  }

  private boolean section() {
    int start = reader.position();
    long descriptor = reader.readDescriptor();
    int code = descriptor == (byte) descriptor ? (int) descriptor : 0;
    return switch (code) {
      case (int) Descriptor.HEADER -> single(Section.HEADER, start);
      case (int) Descriptor.DELIVERY_ANNOTATIONS -> single(Section.DELIVERY_ANNOTATIONS, start);
      case (int) Descriptor.MESSAGE_ANNOTATIONS -> single(Section.MESSAGE_ANNOTATIONS, start);
      case (int) Descriptor.PROPERTIES -> single(Section.PROPERTIES, start);
      case (int) Descriptor.APPLICATION_PROPERTIES -> single(Section.APPLICATION_PROPERTIES, start);
      case (int) Descriptor.FOOTER -> single(Section.FOOTER, start);
      case (int) Descriptor.DATA -> body(BodyKind.DATA, start);
      case (int) Descriptor.AMQP_SEQUENCE -> body(BodyKind.SEQUENCE, start);
      case (int) Descriptor.AMQP_VALUE -> body(BodyKind.VALUE, start);
      default -> refuse("not a message section");
    };
  }

  private boolean single(Section section, int start) {
    int index = section.index;
    if (offsets[index] >= 0) {
      return refuse("a section occurs twice");
    }
    int valueAt = reader.position();
    boolean list = section == Section.HEADER || section == Section.PROPERTIES;
    if (!(list ? isList() : FormatCode.isMap(reader.peekCode()))) {
      return refuse("a section has the wrong type");
    }
    if (!skipValue()) {
      return false;
    }
    offsets[index] = start;
    valueOffsets[index] = valueAt;
    lengths[index] = reader.position() - start;
    return true;
  }

  private boolean body(BodyKind kind, int start) {
    boolean first = bodyKind == BodyKind.NONE;
    if (!first && (kind != bodyKind || kind == BodyKind.VALUE || start != bodyEnd)) {
      return refuse("body sections of different kinds, or apart from each other");
    }
    if (!bodyTypeFits(kind)) {
      return refuse("a section has the wrong type");
    }
    if (!skipBodyValue(kind)) {
      return false;
    }
    if (first) {
      bodyKind = kind;
      bodyOffset = start;
    }
    bodyEnd = reader.position();
    bodyCount++;
    return true;
  }

  private boolean bodyTypeFits(BodyKind kind) {
    int code = reader.peekCode();
    return switch (kind) {
      case DATA -> code == FormatCode.BIN8 || code == FormatCode.BIN32;
      case SEQUENCE -> isList();
      case NONE, VALUE -> true;
    };
  }

  private boolean isList() {
    int code = reader.peekCode();
    return code == FormatCode.LIST8 || code == FormatCode.LIST32 || code == FormatCode.LIST0;
  }

  private boolean skipBodyValue(BodyKind kind) {
    if (!checking || kind == BodyKind.DATA) {
      reader.skip();
      return true;
    }
    int behind = check.checkStructure(buffer, reader.position(), end);
    return moveTo(behind);
  }

  private boolean skipValue() {
    if (!checking) {
      reader.skip();
      return true;
    }
    return moveTo(check.check(buffer, reader.position(), end));
  }

  private boolean moveTo(int behind) {
    if (behind < 0) {
      return refuse(check.problem());
    }
    reader.position(behind);
    return true;
  }

  private boolean refuse(String why) {
    problem = why;
    return false;
  }
}
