package io.peeklock.simulator.frames;

/** States of deliveries. */
final class Settling {
  static final int ACCEPTED = 0x24;
  static final int REJECTED = 0x25;
  static final int RELEASED = 0x26;
  static final int MODIFIED = 0x27;

  /** No outcome of the broker's: the client will never hear. */
  static final Wire.Described LOST = Wire.composite(0);

  private Settling() {}
}
