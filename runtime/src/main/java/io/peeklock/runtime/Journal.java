package io.peeklock.runtime;

/** The storage of a shard: its log, the bodies that the log names, and its snapshots. */
public interface Journal extends Log, BodyStorage, Snapshots {}
