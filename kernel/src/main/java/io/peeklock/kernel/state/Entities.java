package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a shard, by path and by number. A deleted queue has no path any more, but keeps its
 * number until it is emptied.
 */
public final class Entities {

  private final StoredMemory memory;
  private final TreeMap<String, QueueState> byPath = new TreeMap<>();
  private final Set<QueueState> created = new LinkedHashSet<>();
  private final Set<QueueState> deleted = new LinkedHashSet<>();
  private @Nullable QueueState[] byNumber = new QueueState[4];
  private final LeavingRules leavingRules = new LeavingRules();
  private long idKey;

  /** Without queues; {@code memory} counts what they will hold. */
  Entities(StoredMemory memory) {
    this.memory = memory;
  }

  /** Sets the key that decides where remembered message ids are, for queues that come later. */
  public void placeIdsBy(long key) {
    idKey = key;
  }

  /**
   * The queue with this number, even if it is deleted and not emptied yet; null when there is none.
   */
  public @Nullable QueueState at(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }

  /** The queue with this name; case is ignored (S-060). */
  public @Nullable QueueState at(String path) {
    return byPath.get(key(path));
  }

  /** The rules of deleted subscriptions. */
  public LeavingRules leavingRules() {
    return leavingRules;
  }

  static @Nullable QueueState unlessDeleted(@Nullable QueueState queue) {
    return queue == null || queue.isDeleted() ? null : queue;
  }

  /** The queues in order of creation, without dead-letter queues. */
  Collection<QueueState> created() {
    return created;
  }

  /** The deleted queues that are not emptied yet, in order of deletion. */
  Collection<QueueState> deleted() {
    return deleted;
  }

  private static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  QueueState add(QueueEntry entry, long nextSequenceNumber) {
    QueueState queue =
        new QueueState(
            entry,
            nextSequenceNumber,
            feeding(entry.definition()),
            held(entry.definition()),
            idKey);
    put(queue);
    byPath.put(key(entry.definition().path()), queue);
    created.add(queue);
    QueueState via = viaOf(queue);
    if (via != null) {
      via.transfers.add(queue);
    }
    return queue;
  }

  /** Adds a queue of a checkpoint that is deleted and not emptied. */
  public void addDeleted(QueueEntry entry, long nextSequenceNumber) {
    QueueState queue =
        new QueueState(entry, nextSequenceNumber, null, held(entry.definition()), idKey);
    put(queue);
    queue.delete();
    deleted.add(queue);
  }

  /** The entity of a transfer queue; null when the entity is deleted, or for any other queue. */
  private @Nullable QueueState viaOf(QueueState queue) {
    return queue.definition().role() instanceof QueueRole.Transfers transfers
        ? at(transfers.entityPath())
        : null;
  }

  /**
   * The path of the entity whose memory share an entity counts for: that of the topic of a
   * subscription, of the entity of a transfer queue, else its own.
   */
  public static String rootPath(QueueDefinition definition) {
    return switch (definition.role()) {
      case QueueRole.Subscription subscription -> subscription.topicPath();
      case QueueRole.Transfers transfers -> transfers.entityPath();
      default -> definition.path();
    };
  }

  /** The memory account of the entity that it counts for; its own once that entity is deleted. */
  private HeldMemory held(QueueDefinition definition) {
    String path = rootPath(definition);
    QueueState root = path.equals(definition.path()) ? null : at(path);
    return root == null ? new HeldMemory(memory) : root.held;
  }

  private @Nullable TopicState feeding(QueueDefinition definition) {
    if (definition.role() instanceof QueueRole.Subscription subscription) {
      QueueState topic = at(subscription.topicPath());
      Invariant.check(
          topic != null && topic.topic() != null, "a subscription comes after its topic");
      return topic == null ? null : topic.topic();
    }
    return null;
  }

  private void put(QueueState queue) {
    memory.entitiesChanged(EntityWeight.of(queue.definition()));
    putAlone(queue);
    putAlone(queue.deadLetters());
  }

  private void putAlone(QueueState queue) {
    int number = queue.id().number();
    if (number >= byNumber.length) {
      byNumber = Arrays.copyOf(byNumber, Math.max(number + 1, byNumber.length * 2));
    }
    Invariant.check(byNumber[number] == null, "a queue number is used once");
    byNumber[number] = queue;
  }

  /** Changes the properties of an entity. */
  public void update(QueueState queue, QueueDefinition wanted, long atMillis) {
    memory.entitiesChanged(EntityWeight.of(wanted) - EntityWeight.of(queue.definition()));
    queue.update(wanted, atMillis);
  }

  /** An entity, followed by the queues that are deleted with it. */
  public static List<QueueState> wholeOf(QueueState queue) {
    List<QueueState> all = new ArrayList<>(List.of(queue));
    if (queue.topic() != null) {
      queue.topic().subscriptions().forEach(each -> all.add(each.queue()));
    }
    queue.transfers.forEach(all::add);
    return all;
  }

  void delete(QueueState queue) {
    byPath.remove(key(queue.definition().path()));
    created.remove(queue);
    QueueState via = viaOf(queue);
    if (via != null) {
      via.transfers.remove(queue);
    }
    if (queue.topic() != null) {
      queue.topic().close();
    }
    if (queue.subscription() != null) { // subscriptions follow their topic in the batch
      queue.subscription().leaveTopic(leavingRules);
    }
    DuplicateDetectionHistory ids = queue.rememberedIds();
    if (ids != null) {
      ids.gone();
    }
    queue.delete();
    deleted.add(queue);
  }

  /** Forgets a deleted queue once it and its dead-letter queue are empty. */
  public void dropIfEmptied(QueueState either) {
    QueueState queue = either.isDeadLetterQueue() ? either.deadLetters() : either;
    if (queue.isDeleted() && queue.isEmptied()) {
      if (deleted.remove(queue)) {
        memory.entitiesChanged(-EntityWeight.of(queue.definition()));
      }
      queue.messages().chunks().clear();
      queue.scheduled().chunks().clear();
      queue.deadLetters().messages().chunks().clear();
      byNumber[queue.id().number()] = null;
      byNumber[queue.deadLetters().id().number()] = null;
    }
  }
}
