package io.peeklock.kernel.filter;

/** The types of application properties, as the wire distinguishes them. */
public enum ValueType {
  /** The message has no such property. */
  MISSING(Family.NONE),
  NULL(Family.NONE),
  BOOLEAN(Family.BOOLEAN),
  BYTE(Family.NUMBER, Byte.MIN_VALUE, Byte.MAX_VALUE),
  SHORT(Family.NUMBER, Short.MIN_VALUE, Short.MAX_VALUE),
  INT(Family.NUMBER, Integer.MIN_VALUE, Integer.MAX_VALUE),
  LONG(Family.NUMBER, Long.MIN_VALUE, Long.MAX_VALUE),
  UBYTE(Family.NUMBER, 0, 0xff),
  USHORT(Family.NUMBER, 0, 0xffff),
  UINT(Family.NUMBER, 0, 0xffff_ffffL),
  /** An unsigned one of 64 bits, as far as it fits a signed one; larger ones are decimals here. */
  ULONG(Family.NUMBER, 0, Long.MAX_VALUE),
  FLOAT(Family.NUMBER),
  DOUBLE(Family.NUMBER),
  DECIMAL(Family.NUMBER),
  /** A string, symbol, character or URI. */
  TEXT(Family.TEXT),
  TIMESTAMP(Family.TIMESTAMP),
  DURATION(Family.DURATION),
  GUID(Family.GUID),
  BINARY(Family.BINARY),
  /** A type that filters cannot read: a list, a map, an array. */
  OTHER(Family.NONE);

  /** Types of one family can be compared; those of two cannot (S-356). */
  enum Family {
    NONE,
    BOOLEAN,
    NUMBER,
    TEXT,
    TIMESTAMP,
    DURATION,
    GUID,
    BINARY
  }

  private final Family family;
  private final boolean whole;
  private final long least;
  private final long most;

  ValueType(Family family) {
    this.family = family;
    this.whole = false;
    this.least = 0;
    this.most = 0;
  }

  ValueType(Family family, long least, long most) {
    this.family = family;
    this.whole = true;
    this.least = least;
    this.most = most;
  }

  Family family() {
    return family;
  }

  /** Whether it is a run of bytes. */
  boolean hasBytes() {
    return this == TEXT || this == BINARY;
  }

  /** Whether it is one of the integers, of whatever width. */
  boolean isWhole() {
    return whole;
  }

  /** Whether an integer of this type can have the value. */
  boolean holds(long value) {
    return whole && value >= least && value <= most;
  }
}
