package io.peeklock.cli;

import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Delivery;

/**
 * A message that has come.
 *
 * @param delivery by which it is settled
 * @param bytes the size of it, encoded
 */
record Taken(Delivery delivery, AdvancedMessage<?> message, int bytes) {}
