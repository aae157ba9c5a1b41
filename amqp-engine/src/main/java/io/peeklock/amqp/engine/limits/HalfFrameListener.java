package io.peeklock.amqp.engine.limits;

/** Hears how a frame comes of which a part has come and waits for the rest. */
public interface HalfFrameListener {
  /** Who does not mind. */
  HalfFrameListener NONE =
      new HalfFrameListener() {
        @Override
        public void came(int bytes, int held) {}

        @Override
        public void gone() {}
      };

  /**
   * Some more of it came and is kept, or found no room.
   *
   * @param held what all of it takes of {@link Allowance#input} now
   */
  void came(int bytes, int held);

  /** It is whole, or given up. Again means nothing. */
  void gone();
}
