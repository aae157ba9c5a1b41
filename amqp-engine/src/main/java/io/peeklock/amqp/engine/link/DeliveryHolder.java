package io.peeklock.amqp.engine.link;

/** The owner of unsettled deliveries: a link. */
interface DeliveryHolder {
  /** Whether it is attached; once false, always false. */
  boolean isAttached();
}
