package io.peeklock.conformance.kill;

import java.util.List;

/**
 * One line of a history. {@code at} is the place in the order of all threads: taken before the
 * bytes leave for what is tried, after they came for what is seen.
 */
sealed interface Event {
  /** Place in the history. */
  long at();

  /** What a receiver may want of a message. */
  enum Disposition {
    COMPLETE,
    ABANDON,
    DEFER,
    DEAD_LETTER;

    /** Whether it raises the delivery count. */
    boolean counts() {
      return this == ABANDON || this == DEFER;
    }
  }

  /** Where a message can lie. */
  enum Place {
    QUEUE,
    DEFERRED,
    DEAD_LETTERS
  }

  /** How a receiver got it. */
  enum Mode {
    PEEK_LOCK,
    RECEIVE_AND_DELETE
  }

  /** A send has begun. */
  record SendTried(long at, String id, String queue) implements Event {}

  /** A send was answered; without this its outcome is unknown for ever. */
  record SendAnswered(long at, String id, boolean accepted) implements Event {}

  /**
   * A message has arrived at a receiver.
   *
   * @param life how often the broker had been started
   * @param whole whether the body is what was sent
   * @param mark the property that the last abandon wrote, 0 without
   */
  record Delivered(
      long at,
      String id,
      String queue,
      Mode mode,
      int life,
      long number,
      long count,
      boolean whole,
      long mark)
      implements Event {}

  /** A settlement has begun; its mark is what it writes into the message. */
  record SettleTried(long at, String id, Disposition disposition, int life, long mark)
      implements Event {}

  /** A settlement was answered. */
  record SettleAnswered(long at, String id, Disposition disposition, long mark, boolean accepted)
      implements Event {}

  /** At the end the message lay here. */
  record Found(long at, String id, String queue, Place place, long number, long count, long mark)
      implements Event {}

  /** These sends stand or fall together: copies of one message, or what a transaction sends. */
  record Together(long at, List<String> ids) implements Event {}

  /** A message belongs to a message session. */
  record InSession(long at, String id, String session) implements Event {}

  /** The state of a session is about to be set; the values of one session go up. */
  record StateTried(long at, String session, long value) implements Event {}

  /** The state of a session was set. */
  record StateAnswered(long at, String session, long value) implements Event {}

  /**
   * The state of a session was read.
   *
   * @param began the place in the history where the reading began
   * @param value 0 for none
   */
  record StateRead(long at, long began, String session, long value) implements Event {}

  /** A message is not to be active before this time, by the wall clock. */
  record DueAt(long at, String id, long millis) implements Event {}

  /** A scheduled message has arrived, at this time by the wall clock. */
  record CameAt(long at, String id, long millis) implements Event {}

  /** A scheduled message is about to be cancelled. */
  record CancelTried(long at, String id) implements Event {}

  /** A cancel was answered. */
  record CancelAnswered(long at, String id, boolean accepted) implements Event {}

  /** A transaction is about to be committed that completes one message and sends another. */
  record MoveTried(long at, String from, String to) implements Event {}

  /** The broker was made to crash. */
  record Killed(long at) implements Event {}

  /**
   * The next broker is launched on what is left.
   *
   * @param checkpoint the batch that the newest checkpoint covers; 0 without one
   * @param unfinished whether a checkpoint was being written when the broker died
   */
  record Begun(long at, long checkpoint, boolean unfinished) implements Event {}
}
