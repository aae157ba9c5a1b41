package io.peeklock.simulator.frames;

import java.io.ByteArrayOutputStream;

/** A delivery from the broker, as it comes. */
final class Incoming {
  final long id;
  final byte[] tag;
  final boolean isSettled;
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();

  Incoming(long id, byte[] tag, boolean isSettled) {
    this.id = id;
    this.tag = tag;
    this.isSettled = isSettled;
  }

  void append(byte[] payload) {
    message.writeBytes(payload);
  }

  byte[] message() {
    return message.toByteArray();
  }
}
