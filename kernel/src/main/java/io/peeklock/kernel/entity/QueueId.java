package io.peeklock.kernel.entity;

/**
 * The number of a queue within its shard. Given at creation and never reused, so that nothing of a
 * deleted entity can show up in a new one of the same name (I-38). A dead-letter queue has its own
 * number.
 *
 * @param number from 1 upwards
 */
public record QueueId(int number) {
  /**
   * Creates an id.
   *
   * @throws IllegalArgumentException when the number is below 1
   */
  public QueueId {
    if (number < 1) {
      throw new IllegalArgumentException("a queue number starts at 1, got " + number);
    }
  }
}
