package io.peeklock.server.config;

import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which limits and defaults hold; {@code relaxed} has no artificial ones. */
public enum Profile {
  /** 100 MiB messages, locks from 1 second, queues without a size. */
  RELAXED(100L << 20, 100L << 20, QueueDefinition.FOREVER, 1_000),

  /** The vendor's Standard tier: 256 KiB messages, queues of 1 GiB (S-431, S-435). */
  STANDARD(256L << 10, 256L << 10, 1L << 30, 5_000),

  /** The vendor's Premium tier: 1 MiB messages, up to 100 MiB when a queue says so. */
  PREMIUM(1L << 20, 100L << 20, 1L << 30, 5_000),

  /** Keys and defaults of the vendor's emulator, without its maxima. */
  EMULATOR(100L << 20, 100L << 20, QueueDefinition.FOREVER, 5_000);

  private final long defaultMessageBytes;
  private final long largestMessageBytes;
  private final long defaultQueueBytes;
  private final long shortestLockMillis;

  Profile(
      long defaultMessageBytes,
      long largestMessageBytes,
      long defaultQueueBytes,
      long shortestLockMillis) {
    this.defaultMessageBytes = defaultMessageBytes;
    this.largestMessageBytes = largestMessageBytes;
    this.defaultQueueBytes = defaultQueueBytes;
    this.shortestLockMillis = shortestLockMillis;
  }

  /** How an operator writes it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The largest message that a queue of this profile can be set to take. */
  public long largestMessageBytes() {
    return largestMessageBytes;
  }

  /** Whether transactions span entities only where the vendor's tiers let them. */
  public boolean oneEntityPerTransaction() {
    return this == STANDARD || this == PREMIUM;
  }

  /** How large a filter or action may be (S-365). */
  public FilterLimits filterLimits() {
    return this == STANDARD || this == PREMIUM ? FilterLimits.STANDARD : FilterLimits.CEILING;
  }

  /** The shortest lock that an entity can have. */
  public long shortestLockMillis() {
    return shortestLockMillis;
  }

  /** A queue about which nothing was said but its name. */
  public QueueDefinition queue(String path) {
    var emulator = this == EMULATOR;
    return new QueueDefinition(
        path,
        60_000,
        emulator ? 3 : 10,
        emulator ? 3_600_000 : QueueDefinition.FOREVER,
        false,
        defaultMessageBytes,
        defaultQueueBytes);
  }

  static Profile of(String word) {
    for (var profile : values()) {
      if (profile.word().equalsIgnoreCase(word)) {
        return profile;
      }
    }
    var known = words();
    throw new ConfigurationException(
        "there is no profile \""
            + word
            + "\"; there are "
            + String.join(", ", known)
            + Nearest.hint(word, known));
  }

  private static List<String> words() {
    return Arrays.stream(values()).map(Profile::word).toList();
  }
}
