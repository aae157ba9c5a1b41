package io.peeklock.kernel.state;

/** What the delivery budget allows, from least to most. */
public enum DeliveryBudgetLevel {
  /** No deliveries. */
  NONE,

  /** Deliveries to receivers that have little in flight. */
  SCARCE,

  /** Deliveries to every receiver, up to its own limit. */
  AMPLE
}
