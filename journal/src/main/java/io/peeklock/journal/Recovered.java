package io.peeklock.journal;

import org.jspecify.annotations.Nullable;

/**
 * Where a recovery ended.
 *
 * @param open the segment to go on in; null when there is none yet
 * @param openSalt its salt
 * @param lastTerm highest term seen, 0 for none
 * @param watermark highest index that the log itself says is durable
 */
record Recovered(
    @Nullable Segment open,
    long openSalt,
    long lastIndex,
    long lastTerm,
    long lastTimeMillis,
    long watermark,
    long nextBodyId) {}
