package io.peeklock.runtime.meter;

/**
 * The memory that a journal has for the bodies of stored messages, as it is shared among entities.
 *
 * @param mostBytes all of it
 * @param freeBytes of that, from 0 on
 */
public record BodyRoom(long mostBytes, long freeBytes) {
  /** Of a journal whose bodies are on a disk. */
  public static final BodyRoom UNBOUNDED = new BodyRoom(Long.MAX_VALUE, Long.MAX_VALUE);
}
