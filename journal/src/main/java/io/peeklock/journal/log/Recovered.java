package io.peeklock.journal.log;

import io.peeklock.journal.segment.Segment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a recovery.
 *
 * @param open the segment to continue in; null when there is none yet
 * @param openSalt its salt
 * @param lastTerm highest term seen, 0 for none
 * @param watermark highest index that the log itself records as durable
 * @param checkpoints indexes of the checkpoints that are kept, oldest first
 * @param bytesBehind bytes of log after the newest of them
 */
public record Recovered(
    @Nullable Segment open,
    long openSalt,
    long lastIndex,
    long lastTerm,
    long lastTimeMillis,
    long watermark,
    long nextBodyId,
    List<Long> checkpoints,
    long bytesBehind) {}
