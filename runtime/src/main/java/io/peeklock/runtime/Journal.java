package io.peeklock.runtime;

/** What stands behind a shard: its log, the bodies that the log names, and its snapshots. */
public interface Journal extends Log, BodyStorage, Snapshots {}
