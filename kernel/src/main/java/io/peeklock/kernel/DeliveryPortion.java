package io.peeklock.kernel;

/** In what portions it is told that deliveries have left ({@link Request.Transferred}). */
public final class DeliveryPortion {

  /**
   * So many bytes of one receiver may have left without a word: whoever asks for it tells of them
   * when they are as many, and of fewer soon.
   */
  public static final long BYTES = 64 << 10;

  private DeliveryPortion() {}
}
