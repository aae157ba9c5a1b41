package io.peeklock.conformance.lossless;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A client that sends and receives what it is told, with one connection at a time. */
interface Member extends AutoCloseable {
  /** Which client it is. */
  Client client();

  /** Opens a new connection, and forgets the one that there was. */
  void connect() throws IOException;

  /**
   * Sends to a queue or topic.
   *
   * @param singly one by one, not as a batch
   */
  void send(String to, boolean singly, List<Description> messages) throws IOException;

  /** Sends what becomes active after a while. */
  void schedule(String to, Duration after, List<Description> messages) throws IOException;

  /** The messages of an entity, untouched; by the name of the way. */
  Map<String, List<Description>> peek(String from, int count) throws IOException;

  /** Receives so many, and completes them. */
  Map<String, List<Description>> take(String from, int count) throws IOException;

  /** Receives so many, and defers them. */
  Map<String, List<Description>> defer(String from, int count) throws IOException;

  /** Receives those by their numbers, dead-letters them, and takes them from there. */
  Map<String, List<Description>> bury(String from) throws IOException;

  @Override
  void close() throws IOException;
}
