package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.state.EntityWeight;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.RuleTally;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses requests that would exceed the limits of the namespace (group V). */
public final class LimitHandler {

  private final MachineState state;
  private final NamespaceLimits limits;

  /** Checks requests against these limits. */
  public LimitHandler(MachineState state, NamespaceLimits limits) {
    this.state = state;
    this.limits = limits;
  }

  /** The refusal of a request that exceeds a limit; null for one that does not. */
  public @Nullable Decision refused(Stamp stamp, Request request) {
    return switch (request) {
      case Request.CreateQueue create -> refused(stamp, create, create.ticket(), refusal(create));
      case Request.AddRule add -> refused(stamp, add, add.ticket(), refusal(add));
      case EntityRequest.ReplaceRule replace ->
          refused(stamp, replace, replace.ticket(), refusal(replace));
      case EntityRequest.UpdateQueue update ->
          refused(stamp, update, update.ticket(), refusal(update));
      default -> null;
    };
  }

  private static @Nullable Decision refused(
      Stamp stamp, Request request, Ticket ticket, @Nullable Refusal refusal) {
    return refusal == null ? null : Refusals.whole(request.origin(), stamp, ticket, 0, refusal);
  }

  private @Nullable Refusal refusal(Request.CreateQueue create) {
    QueueDefinition definition = create.definition();
    if (state.queue(definition.path()) != null) {
      return null;
    }
    Refusal ofNamespace =
        definition.role() instanceof QueueRole.Transfers // of an existing entity (S-205)
            ? null
            : ofNamespace(create, definition);
    return ofNamespace == null ? ofEntities(EntityWeight.of(definition)) : ofNamespace;
  }

  private @Nullable Refusal ofNamespace(Request.CreateQueue create, QueueDefinition definition) {
    Refusal missing = limits.queuesOnly() ? notInBasic(definition) : null;
    if (missing != null) {
      return missing;
    }
    if (definition.role() instanceof QueueRole.Subscription subscription) {
      return ofSubscription(state.queue(subscription.topicPath()), create.rules());
    }
    return limits.entities() == Integer.MAX_VALUE || entities() < limits.entities()
        ? null
        : new Refusal.TooMany("queues and topics of the namespace", limits.entities());
  }

  /** An update may not add what could not be created; what an entity has already may stay. */
  private @Nullable Refusal refusal(EntityRequest.UpdateQueue update) {
    QueueDefinition wanted = update.definition();
    QueueState queue = state.queue(wanted.path());
    if (queue == null) {
      return null; // which is refused for that
    }
    QueueDefinition is = queue.definition();
    Refusal missing = limits.queuesOnly() && notInBasic(is) == null ? notInBasic(wanted) : null;
    QueueDefinition next = wanted.with().path(is.path()).build(); // the path keeps its case
    long more = EntityWeight.of(next) - EntityWeight.of(is);
    return missing == null && more > 0 ? ofEntities(more) : missing;
  }

  /** Entities must leave memory for messages, and cannot grow when messages have used it up. */
  private @Nullable Refusal ofEntities(long more) {
    StoredMemory memory = state.stored;
    if (memory.entities() + more > memory.mostEntities()) {
      return new Refusal.TooMany(
          "bytes of memory for all entities",
          (int) Math.min(Integer.MAX_VALUE, memory.mostEntities()));
    }
    return memory.isExhausted() ? new Refusal.StoreFull() : null;
  }

  private static @Nullable Refusal notInBasic(QueueDefinition definition) {
    if (!definition.role().equals(QueueRole.QUEUE)) {
      return new Refusal.FeatureNotAvailable("topics");
    }
    if (definition.requiresSession()) {
      return new Refusal.FeatureNotAvailable("message sessions");
    }
    if (definition.forwardTo() != null || definition.forwardDeadLettersTo() != null) {
      return new Refusal.FeatureNotAvailable("auto-forwarding");
    }
    return definition.duplicateWindowMillis() > 0
        ? new Refusal.FeatureNotAvailable("duplicate detection")
        : null;
  }

  private int entities() {
    int entities = 0;
    for (QueueState queue : state.created()) {
      entities += queue.subscription() == null && !queue.isForTransfers() ? 1 : 0;
    }
    return entities;
  }

  private @Nullable Refusal ofSubscription(@Nullable QueueState queue, @Nullable List<Rule> rules) {
    TopicState topic = queue == null ? null : queue.topic();
    if (topic == null) {
      return null; // which is refused for that
    }
    if (topic.subscriptions().size() >= limits.subscriptionsPerTopic()) {
      return new Refusal.TooMany("subscriptions of the topic", limits.subscriptionsPerTopic());
    }
    return rules == null ? null : ofRules(topic, rules, null);
  }

  private @Nullable Refusal refusal(Request.AddRule add) {
    QueueState queue = state.queue(add.subscription());
    SubscriptionState subscription = queue == null ? null : queue.subscription();
    return subscription == null || subscription.rule(add.rule().name()) != null
        ? null // which is refused for that
        : ofRules(subscription.topic(), List.of(add.rule()), null);
  }

  private @Nullable Refusal refusal(EntityRequest.ReplaceRule replace) {
    QueueState queue = state.queue(replace.subscription());
    SubscriptionState subscription = queue == null ? null : queue.subscription();
    Rule before = subscription == null ? null : subscription.rule(replace.rule().name());
    return subscription == null || before == null
        ? null // which is refused for that
        : ofRules(subscription.topic(), List.of(replace.rule()), before);
  }

  /** Existing rules may stay, and may be replaced by rules that are no heavier. */
  private @Nullable Refusal ofRules(TopicState topic, List<Rule> added, @Nullable Rule replaced) {
    Refusal tooHeavy = ofWeight(topic, added, replaced);
    if (tooHeavy != null) {
      return tooHeavy;
    }
    RuleTally tally = topic.rules().tally();
    Filter gone = replaced == null ? null : replaced.filter();
    long sql = tally.sqlFilters();
    sql -= gone instanceof SqlFilter ? 1 : 0;
    long correlation = tally.correlationFilters();
    correlation -= gone instanceof CorrelationFilter ? 1 : 0;
    for (Rule rule : added) {
      sql += rule.filter() instanceof SqlFilter ? 1 : 0;
      correlation += rule.filter() instanceof CorrelationFilter ? 1 : 0;
    }
    if (sql > Math.max(tally.sqlFilters(), limits.sqlFiltersPerTopic())) {
      return new Refusal.TooMany("SQL filters of the topic", limits.sqlFiltersPerTopic());
    }
    return correlation > Math.max(tally.correlationFilters(), limits.correlationFiltersPerTopic())
        ? new Refusal.TooMany(
            "correlation filters of the topic", limits.correlationFiltersPerTopic())
        : null;
  }

  private static @Nullable Refusal ofHeap(
      StoredMemory memory, List<Rule> added, @Nullable Rule replaced) {
    long more = replaced == null ? 0 : -RuleWeight.heapBytes(replaced); // others share the rest
    for (Rule rule : added) {
      more += RuleWeight.mostHeapBytes(rule);
    }
    return more > 0 && memory.rules() + more > memory.mostRules()
        ? new Refusal.TooMany(
            "bytes of memory for all rules", (int) Math.min(Integer.MAX_VALUE, memory.mostRules()))
        : null;
  }

  private static @Nullable Refusal ofWeight(
      TopicState topic, List<Rule> added, @Nullable Rule replaced) {
    RuleTally tally = topic.rules().tally();
    long before = replaced == null ? 0 : RuleWeight.of(replaced);
    long all = tally.weight() - before;
    for (Rule rule : added) {
      long weight = RuleWeight.of(rule);
      if (weight > Math.max(before, RuleWeight.MOST)) {
        return new Refusal.TooMany("characters and bytes of a rule", RuleWeight.MOST);
      }
      all += weight;
    }
    if (all > Math.max(tally.weight(), RuleWeight.MOST_OF_TOPIC)) {
      return new Refusal.TooMany(
          "characters and bytes of the rules of the topic", RuleWeight.MOST_OF_TOPIC);
    }
    Refusal tooLarge = ofHeap(topic.memory(), added, replaced);
    if (tooLarge != null) {
      return tooLarge;
    }
    long rules = tally.rules();
    rules += added.size();
    rules -= replaced == null ? 0 : 1;
    return rules > Math.max(tally.rules(), RuleWeight.MOST_RULES)
        ? new Refusal.TooMany("rules of the topic", RuleWeight.MOST_RULES)
        : null;
  }
}
