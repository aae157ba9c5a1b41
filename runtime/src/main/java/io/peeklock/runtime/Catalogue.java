package io.peeklock.runtime;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The durable entities as event loops see them: immutable, replaced as a whole when a change is
 * durable.
 *
 * @param queues by path in lower case
 * @param transfers the queues whose dead-letter queues have the transfer dead letters of entities,
 *     by the path of the entity in lower case; not among {@code queues}
 * @param complete false while the log does not lead: others may have created what is not here
 */
public record Catalogue(Map<String, Entry> queues, Map<String, Entry> transfers, boolean complete) {

  /** The catalogue of a log that has not led yet. */
  public static final Catalogue UNKNOWN =
      new Catalogue(EntriesByPath.EMPTY, EntriesByPath.EMPTY, false);

  /** Takes copies of maps that could change. */
  public Catalogue {
    queues = unchanging(queues);
    transfers = unchanging(transfers);
  }

  private static Map<String, Entry> unchanging(Map<String, Entry> entries) {
    return entries instanceof EntriesByPath ? entries : Map.copyOf(entries);
  }

  /**
   * The queue of this name; case is ignored (S-060).
   *
   * @return null when there is none
   */
  public @Nullable Entry queue(String path) {
    return queues.get(path.toLowerCase(Locale.ROOT));
  }

  /**
   * The queue whose dead-letter queue is the transfer dead-letter queue of an entity (S-205); case
   * is ignored.
   *
   * @return null when none was needed so far
   */
  public @Nullable Entry transfers(String path) {
    return transfers.get(path.toLowerCase(Locale.ROOT));
  }

  /** Why an entity that is not here is refused: clients ask for what may be there again (S-507). */
  public Refusal missing() {
    return complete ? new Refusal.EntityNotFound() : new Refusal.NotLeading();
  }

  /**
   * One queue and its dead-letter queue.
   *
   * @param createdAtMillis shard time of its creation
   * @param updatedAtMillis shard time of the last update, or of its creation
   * @param rules how many rules the subscriptions of a topic have
   */
  public record Entry(
      QueueId queue,
      QueueId deadLetterQueue,
      QueueDefinition definition,
      long createdAtMillis,
      long updatedAtMillis,
      int rules) {
    Entry(QueueEntry entry, int rules) {
      this(
          entry.queue(),
          entry.deadLetterQueue(),
          entry.definition(),
          entry.createdAtMillis(),
          entry.updatedAtMillis(),
          rules);
    }

    Entry updated(QueueDefinition next, long atMillis) {
      return new Entry(queue, deadLetterQueue, next, createdAtMillis, atMillis, rules);
    }

    Entry withRules(int count) {
      return new Entry(queue, deadLetterQueue, definition, createdAtMillis, updatedAtMillis, count);
    }

    /** Whether two entries are the same for links. */
    boolean isLike(@Nullable Entry other) {
      return other != null && queue.equals(other.queue) && definition.equals(other.definition);
    }
  }
}
