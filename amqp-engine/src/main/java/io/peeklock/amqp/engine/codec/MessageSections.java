package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;

/**
 * Where the sections of an encoded message are. Reusable and without garbage: the answer is a set
 * of offsets into the scanned buffer, absolute, valid until the next scan.
 *
 * <p>Sections may come in any order (Python writes delivery annotations last), each at most once
 * but for data and sequence, which may repeat side by side; the body may be missing. "Section"
 * offsets start at the descriptor, "value" offsets at the described value. An absent section has
 * offset -1 and length 0.
 */
public final class MessageSections {
  /** The section kinds that occur at most once beside the body. */
  public enum Section {
    HEADER,
    DELIVERY_ANNOTATIONS,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    APPLICATION_PROPERTIES,
    FOOTER
  }

  /** What the body consists of. */
  public enum BodyKind {
    NONE,
    DATA,
    SEQUENCE,
    VALUE
  }

  /**
   * Finds the sections, looking no deeper than their heads. For bytes that were checked before.
   *
   * @return false when the bytes are no message; {@link #problem} says why
   */
  public boolean scan(ByteBuf buffer, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /**
   * As {@link #scan}, and checks every value inside with {@link ValueCheck}: for bytes from a
   * client. Lists and maps, and the types a section must have, are checked too.
   */
  public boolean scanAndCheck(ByteBuf buffer, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /** What was wrong with the bytes scanned last. */
  public String problem() {
    throw new UnsupportedOperationException();
  }

  public boolean has(Section section) {
    throw new UnsupportedOperationException();
  }

  /** The absolute index of the section's descriptor, or -1. */
  public int offset(Section section) {
    throw new UnsupportedOperationException();
  }

  /** How many bytes the section takes, descriptor included, or 0. */
  public int length(Section section) {
    throw new UnsupportedOperationException();
  }

  /** The absolute index of the section's value (a list or a map), or -1. */
  public int valueOffset(Section section) {
    throw new UnsupportedOperationException();
  }

  public BodyKind bodyKind() {
    throw new UnsupportedOperationException();
  }

  /** The absolute index of the first body section's descriptor, or -1. */
  public int bodyOffset() {
    throw new UnsupportedOperationException();
  }

  /** How many bytes all body sections take together, descriptors included. */
  public int bodyLength() {
    throw new UnsupportedOperationException();
  }

  /** How many body sections there are. */
  public int bodyCount() {
    throw new UnsupportedOperationException();
  }

  /**
   * Walks over the body sections: start with {@link #bodyOffset}, go on with what this returns
   * until it is -1. {@link #contentOffset} and {@link #contentLength} then say where the bytes of
   * this data section are (for other kinds: the whole value).
   */
  public int nextBody(int sectionOffset) {
    throw new UnsupportedOperationException();
  }

  public int contentOffset() {
    throw new UnsupportedOperationException();
  }

  public int contentLength() {
    throw new UnsupportedOperationException();
  }
}
