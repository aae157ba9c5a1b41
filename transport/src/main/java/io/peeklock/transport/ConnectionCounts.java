package io.peeklock.transport;

/**
 * How many connections a listener has and had, whatever they speak.
 *
 * @param open now
 * @param accepted since the start
 * @param refused since the start, because of a limit
 */
public record ConnectionCounts(int open, long accepted, long refused) {}
