package io.peeklock.simulator.generate;

/** Kinds of steps, of which each run takes some more often than others, and some not at all. */
enum StepKind {
  CREATE(2),
  UPDATE(1),
  DELETE(1),
  ADD_RULE(1),
  REMOVE_RULE(1),
  REPLACE_RULE(1),
  EMPTY(0),
  COUNT(1),
  DELETE_MESSAGES(1),
  SEND(14),
  SEND_BATCH(4),
  SCHEDULE(3),
  CANCEL(1),
  OPEN(4),
  ACCEPT(5),
  CREDIT(9),
  DRAIN(1),
  CLOSE(1),
  COMPLETE(9),
  SETTLE(9),
  SETTLE_OLD(1),
  RENEW(2),
  RENEW_SESSION(1),
  GET_STATE(1),
  SET_STATE(2),
  DEFERRED(5),
  PEEK(2),
  LIST_SESSIONS(1),
  DECLARE(2),
  SEND_IN(4),
  SEND_VIA(1),
  CANCEL_IN(1),
  SETTLE_IN(4),
  STATE_IN(1),
  DISCHARGE(3),
  TURNS(6),
  PASS(7),
  INJECT(2),
  REST(1);

  /** How often, beside the others. */
  final int weight;

  StepKind(int weight) {
    this.weight = weight;
  }

  /** Whether a run without it would have nothing to do, or would not be judged. */
  boolean isNeeded() {
    return switch (this) {
      case CREATE, SEND, OPEN, CREDIT, COMPLETE, PASS, REST -> true;
      default -> false;
    };
  }
}
