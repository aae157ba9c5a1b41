package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.atom.Problem;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.kernel.entity.QueueRole;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A definition that is being made from a description. It begins with the defaults, in an update
 * with what is fixed as it was: so whatever a description leaves out has the value that the
 * vendor's clients mean by leaving it out (admin-http.md 8).
 */
public final class DefinitionForm {
  /** Where a window is kept while no duplicates are detected. */
  static final String WINDOW = "DuplicateDetectionHistoryTimeWindow";

  /** What is kept as it was made, although no rule looks at it. */
  static final String FIXED_ATTRIBUTE = "EnableSubscriptionPartitioning";

  /** S-268. */
  private static final long DEFAULT_WINDOW_MILLIS = 600_000;

  private final ProfileTerms terms;
  private final String version;
  private final @Nullable QueueDefinition before;
  private final QueueDefinitionBuilder builder;
  private final Map<String, String> attributes = new TreeMap<>();
  private QueueRole role;
  private @Nullable Long megabytes;
  private boolean detectsDuplicates;
  private long windowMillis = DEFAULT_WINDOW_MILLIS;

  private DefinitionForm(
      ProfileTerms terms,
      String version,
      String path,
      QueueRole role,
      @Nullable QueueDefinition before) {
    this.terms = terms;
    this.version = version;
    this.before = before;
    this.role = role;
    this.builder = terms.defaults().with().path(path);
    if (before != null) {
      for (var property : EntityProperties.ALL) {
        if (property.traits().fixed()) {
          property.copy(before, builder);
        }
      }
      detectsDuplicates = before.duplicateWindowMillis() != 0;
      if (version.compareTo(Tables.LARGE_MESSAGES) < 0) {
        builder.maxMessageBytes(before.maxMessageBytes()); // its clients cannot say it again
      }
      var fixed = before.attributes().get(FIXED_ATTRIBUTE);
      if (fixed != null) {
        attributes.put(FIXED_ATTRIBUTE, fixed);
      }
    }
  }

  /**
   * Of something new.
   *
   * @param version of the API, such as 2021-05
   */
  public static DefinitionForm create(
      ProfileTerms terms, String version, String path, QueueRole role) {
    return new DefinitionForm(terms, version, path, role, null);
  }

  /**
   * Of something that is there.
   *
   * @param version of the API, such as 2021-05
   */
  public static DefinitionForm update(ProfileTerms terms, String version, QueueDefinition before) {
    var role =
        switch (before.role()) {
          case QueueRole.Queue queue -> queue;
          case QueueRole.Topic topic -> new QueueRole.Topic(false);
          case QueueRole.Subscription subscription ->
              new QueueRole.Subscription(subscription.topicPath(), true);
          case QueueRole.Transfers transfers -> transfers;
        };
    return new DefinitionForm(terms, version, before.path(), role, before);
  }

  ProfileTerms terms() {
    return terms;
  }

  /** The version of the API that the client speaks. */
  String version() {
    return version;
  }

  /** What it was before an update; null for something new. */
  @Nullable QueueDefinition before() {
    return before;
  }

  QueueDefinitionBuilder builder() {
    return builder;
  }

  void attribute(String name, String value) {
    attributes.put(name, value);
  }

  void detectsDuplicates(boolean wanted) {
    detectsDuplicates = wanted;
  }

  void window(long millis) {
    windowMillis = millis;
  }

  void megabytes(long size) {
    megabytes = size;
  }

  void filteringBeforePublishing(boolean wanted) {
    role = new QueueRole.Topic(wanted);
  }

  void deadLetteringOnFilterErrors(boolean wanted) {
    if (role instanceof QueueRole.Subscription subscription) {
      role = new QueueRole.Subscription(subscription.topicPath(), wanted);
    }
  }

  /**
   * The definition.
   *
   * @throws Problem when values do not go together
   */
  public QueueDefinition build() {
    if (!detectsDuplicates) {
      attributes.put(WINDOW, Long.toString(windowMillis)); // clients want to see it again
    }
    try {
      return sized(
          builder
              .duplicateWindowMillis(detectsDuplicates ? windowMillis : 0)
              .attributes(attributes)
              .role(role)
              .build());
    } catch (IllegalArgumentException together) {
      throw Problem.bad(String.valueOf(together.getMessage()));
    }
  }

  /**
   * With the size that was asked for. The vendor's Standard gives each of the partitions that much,
   * and tells, and is told in updates, how much that is together.
   */
  private QueueDefinition sized(QueueDefinition whole) {
    var partitions = whole.partitioned() ? terms.partitions() : 1;
    if (megabytes == null) {
      return partitions == 1
          ? whole
          : whole.with().maxSizeBytes(whole.maxSizeBytes() * partitions).build();
    }
    var isOfOne = megabytes <= terms.mostMegabytes();
    if (!isOfOne && partitions == 1) {
      throw Property.wrong(
          "MaxSizeInMegabytes",
          Long.toString(megabytes),
          "must be between " + terms.leastMegabytes() + " and " + terms.mostMegabytes());
    }
    var size = isOfOne ? megabytes * partitions : megabytes;
    var isEndless = size >= ProfileTerms.ENDLESS_MEGABYTES;
    return whole.with().maxSizeBytes(isEndless ? QueueDefinition.FOREVER : size << 20).build();
  }
}
