package io.peeklock.simulator.frames;

import org.jspecify.annotations.Nullable;

/**
 * A delivery to the broker.
 *
 * @param state of the transfer; null for none
 */
record Outgoing(
    byte[] message, long format, boolean isSettled, @Nullable Object state, Listener listener) {

  /** Who is told what became of it. */
  interface Listener {
    /** The broker says how it ended. */
    void settled(Wire.Described outcome);

    /** It was not sent, as its link is gone, which may have been refused. */
    void unsent(Wire.@Nullable Described error);

    /** It was sent, and nobody knows what became of it. */
    void lost();
  }

  /** For what nobody waits for. */
  static final Listener NOBODY =
      new Listener() {
        @Override
        public void settled(Wire.Described outcome) {
          throw new IllegalStateException("a settled delivery was settled again");
        }

        @Override
        public void unsent(Wire.@Nullable Described error) {}

        @Override
        public void lost() {}
      };
}
