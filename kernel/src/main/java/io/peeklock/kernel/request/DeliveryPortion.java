package io.peeklock.kernel.request;

/**
 * The portions in which an edge reports that deliveries have left ({@link Request.Transferred}).
 */
public final class DeliveryPortion {

  /**
   * The most bytes of one receiver that may have left unreported: the edge reports at the latest
   * when they are this many, and fewer soon.
   */
  public static final long BYTES = 64 << 10;

  /**
   * The bytes that a large message counts as until its last byte has left: it passes in pieces, and
   * no more of it is held. Its sender reports at the beginning that everything above this has left.
   */
  public static final long LARGE_BYTES = 1 << 20;

  private DeliveryPortion() {}
}
