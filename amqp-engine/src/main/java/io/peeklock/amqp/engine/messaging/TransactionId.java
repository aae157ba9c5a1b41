package io.peeklock.amqp.engine.messaging;

import java.util.Arrays;
import java.util.HexFormat;

/** The id of a transaction: opaque bytes that the coordinator chose and clients repeat. */
public final class TransactionId {
  private final byte[] bytes;

  private TransactionId(byte[] bytes) {
    this.bytes = bytes;
  }

  /** An id of these bytes, which are copied. */
  public static TransactionId of(byte[] bytes) {
    return new TransactionId(bytes.clone());
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  byte[] raw() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TransactionId id && Arrays.equals(bytes, id.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
