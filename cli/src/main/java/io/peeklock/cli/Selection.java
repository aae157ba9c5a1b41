package io.peeklock.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which messages of which queue: by number, by what they say, or all. All that is said must be so
 * of each.
 */
final class Selection extends QueueParameter {
  static final String REASON = "DeadLetterReason";
  static final String DESCRIPTION = "DeadLetterErrorDescription";

  @Parameters(
      index = "1..*",
      paramLabel = "NUMBER",
      description = "Sequence numbers, as list and peek print them.")
  private List<String> numbers = new ArrayList<>();

  @Option(names = "--all", description = "All that are there when the command begins.")
  private boolean all;

  @Option(
      names = "--message-id",
      paramLabel = "ID",
      description = "Of this message id; may be repeated.")
  private List<String> messageIds = new ArrayList<>();

  @Option(names = "--session-id", paramLabel = "ID", description = "Of this session.")
  private @Nullable String sessionId;

  @Option(names = "--subject", paramLabel = "TEXT", description = "With this subject.")
  private @Nullable String subject;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Dead for this reason, such as MaxDeliveryCountExceeded.")
  private @Nullable String reason;

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = "With this property, compared as text; may be repeated.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      converter = Span.class,
      description = "In the queue for longer than this, such as 10m or 7d.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "No more than so many, the oldest first.")
  private @Nullable Integer count;

  private int bound = Integer.MAX_VALUE;

  private final Instant now = Instant.now();

  /**
   * Checks that something was said: what changes messages does not take silence for all.
   *
   * @throws CliFailure when nothing was, or what was cannot be
   */
  void check() {
    if (!all && isSilent() && count == null) {
      throw CliFailure.usage(
          "say which messages: their numbers, --all, or one of --message-id, --reason, --subject,"
              + " --session-id, --property, --older-than, --count");
    }
    checkCount();
  }

  /** Checks what was said; nothing stands for all. */
  void checkCount() {
    name();
    if (count != null && count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    var isNumbered = !numbers().isEmpty();
    if (all && isNumbered) {
      throw CliFailure.usage("say numbers or --all");
    }
  }

  private boolean isSilent() {
    return numbers.isEmpty()
        && messageIds.isEmpty()
        && sessionId == null
        && subject == null
        && reason == null
        && properties.isEmpty()
        && olderThan == null;
  }

  /**
   * The numbers that were said; empty where others say which.
   *
   * @throws CliFailure when one is none
   */
  Set<Long> numbers() {
    var parsed = new LinkedHashSet<Long>();
    for (var number : numbers) {
      try {
        parsed.add(Long.valueOf(number));
      } catch (NumberFormatException none) {
        throw CliFailure.usage("\"" + number + "\" is no sequence number");
      }
    }
    return parsed;
  }

  /** How many at most. */
  int most() {
    return count == null ? bound : count;
  }

  /** This, bounded where nothing else bounds it. */
  Selection atMost(int few) {
    if (isUnbounded()) {
      bound = few;
    }
    return this;
  }

  /** Whether neither a count, nor --all, nor numbers were said. */
  boolean isUnbounded() {
    return count == null && !all && numbers.isEmpty();
  }

  /** Whether all that was said is so of a message. */
  boolean takes(AdvancedMessage<?> message) throws ClientException {
    return (messageIds.isEmpty() || messageIds.contains(String.valueOf(message.messageId())))
        && is(sessionId, message.groupId())
        && is(subject, message.subject())
        && is(reason, message.property(REASON))
        && hasProperties(message)
        && isOldEnough(message);
  }

  private static boolean is(@Nullable String wanted, @Nullable Object found) {
    return wanted == null || wanted.equals(found);
  }

  private boolean hasProperties(AdvancedMessage<?> message) throws ClientException {
    for (var wanted : properties.entrySet()) {
      var found = TypedValue.of(message.property(wanted.getKey())).json();
      if (!wanted.getValue().equals(String.valueOf(found))) {
        return false;
      }
    }
    return true;
  }

  private boolean isOldEnough(AdvancedMessage<?> message) throws ClientException {
    if (olderThan == null) {
      return true;
    }
    var enqueued = message.annotation(MessageJson.ENQUEUED) instanceof Date at ? at : null;
    return enqueued != null && enqueued.toInstant().isBefore(now.minus(olderThan));
  }
}
