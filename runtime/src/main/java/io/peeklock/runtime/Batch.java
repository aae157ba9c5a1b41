package io.peeklock.runtime;

import io.peeklock.kernel.fact.Fact;
import java.util.List;

/**
 * The decisions of one drain of the shard, on their way to the log. One frame on disk; one entry of
 * a replicated log later.
 *
 * @param term the leader's term
 * @param index this batch's place in the log
 * @param predecessor index of the batch that it was decided after; a replay skips a batch whose
 *     predecessor is not the last one applied
 * @param timeMillis shard time of its stamp
 * @param facts in order
 * @param firstBodyId id of the first body; ids count up over all bodies, in order
 * @param bodies staged bodies that the facts refer to; the journal releases them
 * @param deadBodies ids without references once this batch is durable; not encoded, since a replay
 *     finds them again
 */
public record Batch(
    long term,
    long index,
    long predecessor,
    long timeMillis,
    List<Fact> facts,
    long firstBodyId,
    List<StagedBodies> bodies,
    long[] deadBodies) {}
