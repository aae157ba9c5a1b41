package io.peeklock.kernel.request;

/** In what portions it is told that deliveries have left ({@link Request.Transferred}). */
public final class DeliveryPortion {

  /**
   * So many bytes of one receiver may have left without a word: whoever asks for it tells of them
   * when they are as many, and of fewer soon.
   */
  public static final long BYTES = 64 << 10;

  /**
   * So much of a large message counts until its last byte has left: it passes in pieces, and no
   * more of it is held. Whoever sends it tells at its beginning that all else has left.
   */
  public static final long LARGE_BYTES = 1 << 20;

  private DeliveryPortion() {}
}
