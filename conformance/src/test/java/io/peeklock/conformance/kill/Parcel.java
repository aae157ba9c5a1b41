package io.peeklock.conformance.kill;

import java.util.Map;

/**
 * A message on its way.
 *
 * @param message its bytes
 * @param queues by the id under which it is known there, each queue that is to have it
 */
@SuppressWarnings("ArrayRecordComponent")
record Parcel(byte[] message, Map<String, String> queues) {}
