package io.peeklock.conformance.crowd;

/**
 * What a member of the crowd got and completed.
 *
 * @param id the body, which names the message
 * @param deliveryCount failed attempts so far
 */
record Receipt(String id, long deliveryCount) {}
