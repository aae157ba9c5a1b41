package io.peeklock.runtime.meter;

/**
 * The memory of a journal for the bodies of stored messages, which entities share.
 *
 * @param mostBytes all of it
 * @param freeBytes the free part of it, from 0
 */
public record BodyRoom(long mostBytes, long freeBytes) {
  /** Without a limit, as bodies are on a disk. */
  public static final BodyRoom UNBOUNDED = new BodyRoom(Long.MAX_VALUE, Long.MAX_VALUE);
}
