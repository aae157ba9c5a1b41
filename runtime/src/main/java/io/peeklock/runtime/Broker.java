package io.peeklock.runtime;

import io.peeklock.runtime.meter.RoomMeter;
import io.peeklock.runtime.thread.AnyThread;

/** What an edge may ask of the broker. */
@AnyThread
public interface Broker {

  /**
   * Hands a request over; its answer comes to the request's origin, which must be an {@link
   * Endpoint}. Requests of one thread are decided in order. Never refuses: what must be refused is
   * answered. Should it throw all the same, it has taken nothing, the bodies neither.
   *
   * @return false when the mailbox or the log's backlog is full: the edge then stops reading the
   *     sockets that brought it, until {@link Endpoint#resume()} of that origin
   */
  boolean submit(Submission submission);

  /** The durable entities. */
  Catalogue catalogue();

  /**
   * Runs something whenever entities that were there are changed or gone, once that is durable and
   * told to all who waited for it. On the shard's thread, so it must not block.
   */
  void watch(Runnable changed);

  /** A place to stage bodies, one for each event loop. */
  BodyArena newArena();

  /**
   * What is under way to receivers, and whether others wait for its room: whoever holds much of it
   * and takes little is in their way then.
   */
  RoomMeter room();

  /**
   * The rest of a large body for this receiver could not be read: its queue is stopped, and all its
   * receivers are told so through {@link Endpoint#unreadable}.
   */
  void unreadable(Endpoint receiver, String reason);
}
