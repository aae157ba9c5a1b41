package io.peeklock.amqp.error;

/**
 * Why a message that a client brought is not taken.
 *
 * @param condition the symbol
 * @param sentence for people
 */
public record MessageProblem(String condition, String sentence) {

  /** It is above the limit of its link (S-431). */
  public static MessageProblem tooLarge(int deliveryId, long bytes, long mostBytes) {
    return new MessageProblem(
        Conditions.MESSAGE_SIZE_EXCEEDED,
        "The received message (delivery-id:"
            + Integer.toUnsignedString(deliveryId)
            + ", size:"
            + bytes
            + " bytes) exceeds the limit ("
            + mostBytes
            + " bytes) currently allowed on the link");
  }
}
