package io.peeklock.kernel.state;

/** What the room for deliveries allows, from least to most. */
public enum DeliveryBudgetLevel {
  /** Nobody is given anything. */
  NONE,

  /** Those who have little under way are given something. */
  SCARCE,

  /** Each receiver may have all that it may at most. */
  AMPLE
}
