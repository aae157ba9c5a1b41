package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.atom.Problem;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.kernel.entity.QueueRole;
import java.util.List;
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
  static final List<String> FIXED_ATTRIBUTES =
      List.of("EnableExpress", "EnableSubscriptionPartitioning");

  /** S-268. */
  private static final long DEFAULT_WINDOW_MILLIS = 600_000;

  private final ProfileTerms terms;
  private final long nowMillis;
  private final @Nullable QueueDefinition before;
  private final QueueDefinitionBuilder builder;
  private final Map<String, String> attributes = new TreeMap<>();
  private QueueRole role;
  private boolean detectsDuplicates;
  private long windowMillis = DEFAULT_WINDOW_MILLIS;

  private DefinitionForm(
      ProfileTerms terms,
      long nowMillis,
      String path,
      QueueRole role,
      @Nullable QueueDefinition before) {
    this.terms = terms;
    this.nowMillis = nowMillis;
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
      for (var fixed : FIXED_ATTRIBUTES) {
        if (before.attributes().containsKey(fixed)) {
          attributes.put(fixed, before.attributes().getOrDefault(fixed, ""));
        }
      }
    }
  }

  /** Of something new. */
  public static DefinitionForm create(
      ProfileTerms terms, long nowMillis, String path, QueueRole role) {
    return new DefinitionForm(terms, nowMillis, path, role, null);
  }

  /** Of something that is there. */
  public static DefinitionForm update(ProfileTerms terms, long nowMillis, QueueDefinition before) {
    var role =
        switch (before.role()) {
          case QueueRole.Queue queue -> queue;
          case QueueRole.Topic topic -> new QueueRole.Topic(false);
          case QueueRole.Subscription subscription ->
              new QueueRole.Subscription(subscription.topicPath(), true);
          case QueueRole.Transfers transfers -> transfers;
        };
    return new DefinitionForm(terms, nowMillis, before.path(), role, before);
  }

  ProfileTerms terms() {
    return terms;
  }

  long nowMillis() {
    return nowMillis;
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
      return builder
          .duplicateWindowMillis(detectsDuplicates ? windowMillis : 0)
          .attributes(attributes)
          .role(role)
          .build();
    } catch (IllegalArgumentException together) {
      throw Problem.bad(String.valueOf(together.getMessage()));
    }
  }
}
