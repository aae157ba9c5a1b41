package io.peeklock.kernel;

/**
 * The time that a decision is made at, read once per drain by the shard and given to the kernel.
 *
 * @param nowMillis shard time: UTC milliseconds since 1970, never stepped, never falling; the times
 *     that facts carry come from here
 * @param monotonicMillis milliseconds on a clock that only the passing of time moves; deadlines of
 *     locks are kept on it
 * @param index the index of the batch that is being built; facts decided under this stamp belong to
 *     it
 */
public record Stamp(long nowMillis, long monotonicMillis, long index) {}
