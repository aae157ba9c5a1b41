package io.peeklock.codec;

import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** At least one fact of every kind and shape, by the name of its golden file. */
final class FactSamples {
  private static final QueueId ORDERS = new QueueId(3);
  private static final QueueId DEAD_ORDERS = new QueueId(4);
  private static final QueueDefinition DEFINITION =
      new QueueDefinition(
          "Bestellungen/Größe", 30_000, 7, 86_400_000, true, 1_048_576, QueueDefinition.FOREVER);
  private static final QueueDefinition FULL =
      DEFINITION
          .with()
          .status(EntityStatus.RECEIVE_DISABLED)
          .forwardTo("éclairs/eingang")
          .forwardDeadLettersTo("dead/letters")
          .autoDeleteOnIdleMillis(300_000)
          .partitioned(true)
          .attributes(Map.of("UserMetadata", "größte Bäckerei", "a", ""))
          .build();
  private static final long NOW = 1_790_000_000_000L;

  private FactSamples() {}

  static Map<String, Fact> all() {
    var samples = new LinkedHashMap<String, Fact>();
    samples.put("queue-created", new Fact.QueueCreated(ORDERS, DEAD_ORDERS, DEFINITION, 0));
    samples.put("queue-created-full", new Fact.QueueCreated(ORDERS, DEAD_ORDERS, FULL, 0));
    samples.put(
        "enqueued",
        new Fact.Enqueued(
            ORDERS,
            1_000,
            70_000,
            NOW,
            new int[] {1_024, 0, Integer.MAX_VALUE},
            new int[] {12, 0, 65_536},
            null));
    samples.put(
        "enqueued-expiring",
        new Fact.Enqueued(
            ORDERS,
            1,
            1,
            NOW,
            new int[] {10, 20, 30},
            new int[] {1, 2, 3},
            new long[] {NOW + 1_000, QueueDefinition.FOREVER, NOW + 5}));
    samples.put("completed", new Fact.Completed(ORDERS, new long[] {9, 10, 11, 500, 8}));
    samples.put("consumed", new Fact.Consumed(ORDERS, new long[] {Long.MAX_VALUE, 1}));
    samples.put("expired", new Fact.Expired(ORDERS, new long[] {}));
    samples.put("abandoned", new Fact.Abandoned(ORDERS, new long[] {4, 5}, null));
    samples.put(
        "abandoned-changed",
        new Fact.Abandoned(ORDERS, new long[] {4}, new Fact.StoredOverlay(80_000, 200)));
    samples.put("lock-lapsed", new Fact.LockLapsed(ORDERS, new long[] {300, 100, 200}));
    samples.put("deferred", new Fact.Deferred(ORDERS, new long[] {6, 7}, null));
    samples.put(
        "deferred-changed",
        new Fact.Deferred(ORDERS, new long[] {6}, new Fact.StoredOverlay(80_001, 0)));
    for (var cause : DeadLetterCause.values()) {
      samples.put(
          "dead-lettered-" + cause.name().toLowerCase(Locale.ROOT).replace('_', '-'),
          new Fact.DeadLettered(
              ORDERS,
              DEAD_ORDERS,
              new long[] {1, 2},
              cause,
              cause == DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED,
              cause == DeadLetterCause.RECEIVER ? new Fact.StoredOverlay(80_002, 64) : null));
    }
    samples.put("namespace-described", new Fact.NamespaceDescribed(5, 80_003));
    samples.put(
        "queue-restored",
        new EntityFact.QueueRestored(
            new QueueEntry(ORDERS, DEAD_ORDERS, DEFINITION, 1_700_000_000_000L, 1_700_000_000_500L),
            1_003,
            false));
    samples.put("queue-updated", new EntityFact.QueueUpdated(ORDERS, FULL, 1_700_000_000_500L));
    samples.put("queue-deleted", new EntityFact.QueueDeleted(ORDERS));
    samples.put(
        "queue-made-again",
        new EntityFact.QueueMadeAgain(ORDERS, new QueueId(901), new QueueId(902), FULL, 1_234));
    samples.put("deleted", new EntityFact.Deleted(DEAD_ORDERS, new long[] {3, 4, 900}));
    samples.put("messages-restored", restoredBare());
    addArrivals(samples);
    TopicSamples.addTo(samples);
    samples.put("messages-restored-full", restoredFull());
    return samples;
  }

  private static void addArrivals(Map<String, Fact> samples) {
    samples.put(
        "enqueued-full",
        new Fact.Enqueued(
            ORDERS,
            9,
            10,
            NOW,
            new int[] {1, 2, 3},
            new int[] {128, 128, 256},
            new long[] {NOW + 5, QueueDefinition.FOREVER, NOW + 7},
            new long[] {1, Long.MIN_VALUE, 0, 0, -1, Long.MAX_VALUE},
            new String[] {"a", "b", "a"}));
    samples.put(
        "scheduled",
        new Fact.Scheduled(
            ORDERS,
            12,
            13,
            NOW,
            new int[] {7},
            new int[] {128},
            new long[] {NOW + 60_000},
            null,
            null,
            null));
    samples.put(
        "scheduled-full",
        new Fact.Scheduled(
            ORDERS,
            13,
            14,
            NOW,
            new int[] {7, 8},
            new int[] {128, 0},
            new long[] {NOW + 60_000, NOW + 1},
            new long[] {NOW + 70_000, QueueDefinition.FOREVER},
            new long[] {1, 2, 3, 4},
            new String[] {"", "caf\u00e9"}));
    samples.put("numbers-given", new Fact.NumbersGiven(ORDERS, 300, 100));
    samples.put("cancelled", new Fact.Cancelled(ORDERS, new long[] {12, 14}));
    samples.put("activated", new Fact.Activated(ORDERS, new long[] {14, 13}, 15, NOW + 60_001));
    samples.put("session-state-set", new Fact.SessionStateSet(ORDERS, "cart-1", 80_003, 17, NOW));
    samples.put("session-state-cleared", new Fact.SessionStateSet(ORDERS, "", 0, 0, NOW));
    samples.put(
        "session-states-restored",
        new Fact.SessionStatesRestored(
            ORDERS,
            new String[] {"a", "b"},
            new long[] {80_003, 5},
            new int[] {17, 0},
            new long[] {NOW, NOW - 1}));
    samples.put(
        "message-ids-restored",
        new Fact.MessageIdsRestored(ORDERS, new long[] {1, 2, -3, 4}, new long[] {NOW, NOW - 9}));
  }

  private static Fact restoredBare() {
    return new MessagesRestored(
        ORDERS,
        new long[] {900, 901, 905},
        new long[] {70_000, 70_001, 70_010},
        new int[] {1_024, 0, Integer.MAX_VALUE},
        new int[] {128, 0, 65_536},
        new long[] {NOW, NOW, NOW + 20},
        null,
        null,
        null,
        null,
        null,
        null,
        false,
        null,
        null,
        null,
        null);
  }

  private static Fact restoredFull() {
    return new MessagesRestored(
        DEAD_ORDERS,
        new long[] {1, Long.MAX_VALUE},
        new long[] {5, 4},
        new int[] {10, 20},
        new int[] {128, 256},
        new long[] {NOW, NOW - 5},
        new long[] {NOW + 1_000, QueueDefinition.FOREVER},
        new int[] {0, 7},
        new boolean[] {true, false},
        new DeadLetterCause[] {DeadLetterCause.TTL_EXPIRED, DeadLetterCause.NONE},
        new Fact.StoredOverlay[] {null, new Fact.StoredOverlay(80_002, 64)},
        new String[] {"cart-1", "cart-1"},
        true,
        new long[] {0, Long.MAX_VALUE},
        new int[] {3, 0},
        new int[] {4, 0},
        new String[] {"orders", ""});
  }
}
