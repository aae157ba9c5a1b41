package io.peeklock.amqp.connection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection at one moment, for people who look after a broker.
 *
 * @param order the how manyth connection of its namespace it is
 * @param peer the address and port that it comes from
 * @param container what the client calls itself in its {@code open}; null before that. Bounded
 * @param product the client's library and its version, as it says; null when it says nothing
 * @param policies the names of the policies that let it in
 * @param sinceMillis when it came, UTC milliseconds since 1970
 * @param linkCount how many links it has
 * @param links the first of them
 */
public record ConnectionDescription(
    long order,
    String peer,
    @Nullable String container,
    @Nullable String product,
    List<String> policies,
    long sinceMillis,
    int linkCount,
    List<Link> links) {

  /**
   * Some of them, in the order in which they came.
   *
   * @param next the order of the last one that was looked at, where there may be more; 0 for none
   */
  public record Page(List<ConnectionDescription> connections, long next) {}

  /** The most links that one description has. */
  public static final int MOST_LINKS = 100;

  /**
   * One of its links.
   *
   * @param kind what it is for, in a word
   * @param entity the address of its node
   * @param credit how many messages the one who receives has asked for beyond those it has
   * @param unsettled deliveries to the client that it has not settled; 0 for a sender
   */
  public record Link(String name, String kind, String entity, int credit, int unsettled) {}
}
