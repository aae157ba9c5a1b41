package io.peeklock.server.config;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.request.EntityRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which limits and defaults hold; {@code relaxed} has no artificial ones. */
public enum Profile {
  /** 100 MiB messages, locks from 1 second, queues without a size. */
  RELAXED(ProfileLimits.RELAXED),

  /** The vendor's Basic tier: queues alone, messages that live 14 days (S-069, S-166). */
  BASIC(ProfileLimits.BASIC),

  /** The vendor's Standard tier: 256 KiB messages, queues of 1 GiB, 1,000 credits a second. */
  STANDARD(ProfileLimits.STANDARD),

  /** The vendor's Premium tier: 1 MiB messages, up to 100 MiB when a queue says so. */
  PREMIUM(ProfileLimits.PREMIUM),

  /** The vendor's emulator: its key, defaults and maxima (S-444). */
  EMULATOR(ProfileLimits.EMULATOR);

  @SuppressWarnings("ImmutableEnumChecker") // records of numbers all the way down
  private final ProfileLimits limits;

  Profile(ProfileLimits limits) {
    this.limits = limits;
  }

  /** Its numbers. */
  public ProfileLimits limits() {
    return limits;
  }

  /** How an operator writes it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many messages one request may delete (S-413, R-16). */
  public int mostDeleted() {
    return this == STANDARD || this == BASIC ? 500 : EntityRequest.MOST_DELETED;
  }

  /** Whether metrics count what one entity forwards to another as incoming there (S-300). */
  public boolean forwardedIsIncoming() {
    return this != PREMIUM;
  }

  /** How large a filter or action may be (S-365). */
  public FilterLimits filterLimits() {
    return limits.filters();
  }

  /** The shortest lock that an entity can have. */
  public long shortestLockMillis() {
    return limits.times().shortestLock();
  }

  /** A queue about which nothing was said but its name. */
  public QueueDefinition queue(String path) {
    return new QueueDefinition(
        path,
        60_000,
        limits.times().defaultDeliveries(),
        limits.times().defaultLife(),
        false,
        limits.sizes().defaultMessage(),
        limits.sizes().defaultEntity());
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
