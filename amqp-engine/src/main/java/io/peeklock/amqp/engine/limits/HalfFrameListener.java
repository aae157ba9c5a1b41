package io.peeklock.amqp.engine.limits;

/** Observes a frame of which a part has arrived. */
public interface HalfFrameListener {
  /** Ignores all events. */
  HalfFrameListener NONE =
      new HalfFrameListener() {
        @Override
        public void came(int bytes, int held) {}

        @Override
        public void gone() {}
      };

  /**
   * More of it arrived and is kept, or found no room.
   *
   * @param held the bytes of {@link Allowance#input} that it takes now
   */
  void came(int bytes, int held);

  /** It is complete, or given up. A second call means nothing. */
  void gone();
}
