package io.peeklock.conformance;

import java.util.ArrayList;
import java.util.List;

/** What a test wants of its queue. Queues are made at start, so each kind is a numbered pool. */
public enum QueueKind {
  /** A lock of a minute, ten deliveries, no expiry. */
  PLAIN(120, ""),
  /** A lock of six seconds. */
  SHORT_LOCK(30, "LockDuration=PT6S"),
  /** The third failure dead-letters. */
  THREE_DELIVERIES(10, "MaxDeliveryCount=3"),
  /** The first failure dead-letters. */
  ONE_DELIVERY(10, "MaxDeliveryCount=1"),
  /** The second failure dead-letters, and a lock fails after five seconds. */
  TWO_SHORT_DELIVERIES(10, "LockDuration=PT5S,MaxDeliveryCount=2"),
  /** What expires is dead-lettered. */
  DEAD_LETTERS_EXPIRED(20, "DeadLetteringOnMessageExpiration=true"),
  /** The same, and a lock of eight seconds. */
  DEAD_LETTERS_EXPIRED_SHORT_LOCK(10, "DeadLetteringOnMessageExpiration=true,LockDuration=PT8S"),
  /** Messages live a second, and are dropped. */
  SHORT_LIFE(10, "DefaultMessageTimeToLive=PT1S"),
  /** Messages up to 256 KiB. */
  SMALL_MESSAGES(10, "MaxMessageSizeInKilobytes=256"),
  /** A message id counts once in twenty seconds. */
  NO_DUPLICATES(10, "RequiresDuplicateDetection=true,DuplicateDetectionHistoryTimeWindow=PT20S"),
  /** Messages belong to sessions. */
  SESSIONS(15, "RequiresSession=true"),
  /** The same, and a session is held for ten seconds. */
  SHORT_SESSIONS(10, "RequiresSession=true,LockDuration=PT10S");

  private final int count;
  private final String properties;

  QueueKind(int count, String properties) {
    this.count = count;
    this.properties = properties;
  }

  int count() {
    return count;
  }

  String queue(int number) {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-') + "-" + number;
  }

  static List<String> definitions() {
    var all = new ArrayList<String>();
    for (var kind : values()) {
      for (var number = 0; number < kind.count; number++) {
        all.add(kind.queue(number) + (kind.properties.isEmpty() ? "" : "," + kind.properties));
      }
    }
    return all;
  }
}
