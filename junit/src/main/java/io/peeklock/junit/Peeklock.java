package io.peeklock.junit;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.naming.EntityNames;
import io.peeklock.server.PeeklockServer;
import io.peeklock.server.config.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A broker in this JVM, in memory, on a free port of the loopback address. Any Azure Service Bus
 * client can connect to it. Safe for any thread.
 *
 * <pre>{@code
 * try (var peeklock = Peeklock.builder().queue("orders").start()) {
 *   var sender = new ServiceBusClientBuilder()
 *       .connectionString(peeklock.connectionString()).sender().queueName("orders").buildClient();
 *   sender.sendMessage(new ServiceBusMessage("one"));
 *   peeklock.entity("orders").assertActive(1);
 * }
 * }</pre>
 */
public final class Peeklock implements AutoCloseable {
  private final PeeklockServer server;
  private final PeeklockClock clock;

  private Peeklock(PeeklockServer server) {
    this.server = server;
    this.clock = new PeeklockClock(server);
  }

  /** Starts a broker without entities, which clients may create. Returns when it is ready. */
  public static Peeklock start() {
    return builder().start();
  }

  /** A broker whose entities are yet to be named. */
  public static PeeklockBuilder builder() {
    return new PeeklockBuilder();
  }

  static Peeklock start(ServerSettings settings) {
    try {
      return new Peeklock(PeeklockServer.start(settings));
    } catch (IOException impossible) {
      throw new UncheckedIOException("the broker could not start", impossible);
    }
  }

  /** What a client needs to connect, key included; without TLS. */
  public String connectionString() {
    return server.connectionString();
  }

  /** The port on {@code localhost} for AMQP, AMQP over WebSockets and HTTP. */
  public int port() {
    return server.port();
  }

  /** The broker's time, which a test may move forward. */
  public PeeklockClock clock() {
    return clock;
  }

  /**
   * Deletes all messages, sessions and remembered ids, and makes the entities as they were at the
   * start; those that tests created are gone. Connections stay open, but links end: a sender or
   * receiver that was made before may fail once with "not found" until it attaches again. The clock
   * stays where it is.
   */
  public void reset() {
    Waiting.on(server.reset(), "the reset");
  }

  /**
   * What is in a queue, topic or subscription.
   *
   * @param path {@code orders}, {@code events/audit} or {@code events/Subscriptions/audit}; case is
   *     ignored
   * @throws IllegalArgumentException when there is none; the text names those that there are
   */
  public PeeklockEntity entity(String path) {
    var catalogue = server.catalogue();
    var there = catalogue.queue(path);
    var slash = path.lastIndexOf('/');
    if (there == null && slash > 0) {
      there =
          catalogue.queue(
              EntityNames.subscription(path.substring(0, slash), path.substring(slash + 1)));
    }
    if (there == null) {
      throw new IllegalArgumentException(
          "there is no entity \""
              + path
              + "\"; there are: "
              + catalogue.queues().values().stream()
                  .map(entry -> entry.definition())
                  .map(QueueDefinition::path)
                  .sorted()
                  .toList());
    }
    return new PeeklockEntity(server, there.definition().path());
  }

  /** Says goodbye to all clients and ends the broker's threads. A second call does nothing. */
  @Override
  public void close() {
    server.close();
  }
}
