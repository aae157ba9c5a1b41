package io.peeklock.amqp.link;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.ResourcePath;
import io.peeklock.runtime.naming.EntityNames;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A parsed address (amqp.md 3.1): the entity, its sub-queue, and whether its management node is
 * meant. Addresses come as paths, with slashes, percent-encoded, or as whole URIs.
 *
 * @param entity the path without suffixes, in its original case, for texts
 * @param deadLetter whether the dead-letter sub-queue is meant
 * @param transferDeadLetter whether the transfer dead-letter sub-queue is meant
 * @param management whether the management node is meant
 * @param cbs whether it is the token node; then the other components have no meaning
 */
public record EntityAddress(
    String entity,
    boolean deadLetter,
    boolean transferDeadLetter,
    boolean management,
    boolean cbs) {
  /** The longest address; an entity path has at most 260 characters (S-058). */
  public static final int MAX_CHARS = 1_024;

  private static final String MANAGEMENT = "/$management";
  private static final String TRANSFER_DEAD_LETTER = "/$transfer/$deadletterqueue";
  private static final String SUBSCRIPTIONS = "/subscriptions/";
  private static final String DEAD_LETTER = "/$deadletterqueue";

  /** Parses an address; never fails. */
  public static EntityAddress parse(String address) {
    var path = asItEnds(address, ResourcePath.withCase(address));
    if (path.equalsIgnoreCase("$cbs")) {
      return new EntityAddress(path, false, false, false, true);
    }
    var management = endsWith(path, MANAGEMENT);
    path = withoutRepetition(management ? cut(path, MANAGEMENT) : path);
    var transfer = endsWith(path, TRANSFER_DEAD_LETTER);
    path = transfer ? cut(path, TRANSFER_DEAD_LETTER) : path;
    var dead = !transfer && endsWith(path, DEAD_LETTER);
    path = dead ? cut(path, DEAD_LETTER) : path;
    return new EntityAddress(path, dead, transfer, management, false);
  }

  /**
   * Keeps a slash at the end, with which nothing is found: {@code orders/} is what a shell leaves
   * of {@code orders/$deadletterqueue}, and nobody who wrote that means the queue itself.
   */
  private static String asItEnds(String address, String path) {
    var isOpen = address.endsWith("/") || endsWith(address, "%2f");
    return isOpen && !path.isEmpty() ? path + "/" : path;
  }

  /**
   * JavaScript 1.x names the dead letters of a subscription as a subscription of them: {@code
   * t/Subscriptions/s/$DeadLetterQueue/Subscriptions/s} (amqp.md 3.1).
   */
  private static String withoutRepetition(String path) {
    var at = EntityNames.indexOf(path, DEAD_LETTER + SUBSCRIPTIONS);
    if (at < 0) {
      return path;
    }
    var repeated = path.substring(at + DEAD_LETTER.length());
    var dead = path.substring(0, at);
    return endsWith(dead, repeated) ? path.substring(0, at + DEAD_LETTER.length()) : path;
  }

  /**
   * The path that rights must cover: the whole path, so that rights on the sub-queue alone suffice.
   */
  public String resource() {
    var path = management ? shown() + MANAGEMENT : shown();
    return path.toLowerCase(Locale.ROOT);
  }

  /** The queue or dead-letter queue that the address means; null when it does not exist. */
  public @Nullable QueueId queueIn(Catalogue.@Nullable Entry entry) {
    if (entry == null) {
      return null;
    }
    return deadLetter || transferDeadLetter ? entry.deadLetterQueue() : entry.queue();
  }

  /** The entity's entry in the catalogue; null when it does not exist. */
  public Catalogue.@Nullable Entry entryIn(Catalogue catalogue) {
    return transferDeadLetter ? catalogue.transfers(entity) : catalogue.queue(entity);
  }

  /** Whether a dead-letter queue is meant, where messages can only be received. */
  public boolean isForTheDead() {
    return deadLetter || transferDeadLetter;
  }

  /** Whether a subscription is meant. */
  public boolean isSubscription() {
    return subscriptionsAt() >= 0;
  }

  /** The entity by which a transaction knows it: for a subscription its topic (S-390, S-394). */
  public String transactedEntity() {
    var at = subscriptionsAt();
    return at < 0 ? entity : entity.substring(0, at);
  }

  private int subscriptionsAt() {
    return EntityNames.indexOf(entity, SUBSCRIPTIONS);
  }

  /** The path with its sub-queue, for texts. */
  public String shown() {
    if (transferDeadLetter) {
      return entity + "/$Transfer/$DeadLetterQueue";
    }
    return deadLetter ? entity + "/$DeadLetterQueue" : entity;
  }

  private static boolean endsWith(String path, String suffix) {
    return path.regionMatches(true, path.length() - suffix.length(), suffix, 0, suffix.length());
  }

  private static String cut(String path, String suffix) {
    return path.substring(0, path.length() - suffix.length());
  }
}
