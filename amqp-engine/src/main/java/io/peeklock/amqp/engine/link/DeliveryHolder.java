package io.peeklock.amqp.engine.link;

/** Whom an unsettled delivery belongs to. */
interface DeliveryHolder {
  /** Whether it is still there; once it is not, it never is again. */
  boolean isAttached();
}
