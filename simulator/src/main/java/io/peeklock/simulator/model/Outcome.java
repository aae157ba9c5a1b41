package io.peeklock.simulator.model;

/** What becomes of a copy. */
sealed interface Outcome {

  /** How a message gets into another place. */
  enum How {
    DEAD_LETTER,
    FORWARD,
    ACTIVATE
  }

  /** It stays where it is, in another situation. */
  record Stay(Situation next) implements Outcome {}

  /** It is gone. */
  record Drop() implements Outcome {}

  /** It goes on; arriving is its situation there. */
  record Leave(Place to, How how, Situation arriving) implements Outcome {}
}
