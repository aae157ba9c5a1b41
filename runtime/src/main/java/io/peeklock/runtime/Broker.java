package io.peeklock.runtime;

import io.peeklock.runtime.meter.RoomMeter;
import io.peeklock.runtime.thread.AnyThread;

/** What an edge can ask of the broker. */
@AnyThread
public interface Broker {

  /**
   * Hands a request over; its answer comes to the request's origin, which must be an {@link
   * Endpoint}. Requests of one thread are decided in order. Never refuses: a refusal comes as an
   * answer. If it throws all the same, it has taken neither the request nor the bodies.
   *
   * @return false when the mailbox or the log's backlog is full: the edge then stops reading the
   *     sockets that brought it, until {@link Endpoint#resume()} of that origin
   */
  boolean submit(Submission submission);

  /** The durable entities. */
  Catalogue catalogue();

  /**
   * Runs {@code changed} after existing entities have changed or gone, once that is durable and all
   * waiting requests are answered. It runs on the shard's thread, so it must not block.
   */
  void watch(Runnable changed);

  /** A place to stage bodies, one for each event loop. */
  BodyArena newArena();

  /**
   * The budget of deliveries in flight, and whether queues wait for it; then receivers that hold
   * much and read little must give way.
   */
  RoomMeter room();

  /**
   * Reports that the rest of a large body for this receiver cannot be read: its queue is stopped,
   * and all receivers of the queue get {@link Endpoint#unreadable}.
   */
  void unreadable(Endpoint receiver, String reason);
}
