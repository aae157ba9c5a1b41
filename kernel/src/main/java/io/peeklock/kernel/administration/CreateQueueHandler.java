package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates a queue with its dead-letter queue (S-181), or finds that an equal one exists. */
public final class CreateQueueHandler {

  private CreateQueueHandler() {}

  /**
   * Decides the request. Refused when a different entity has the path (S-061), or the topic of a
   * subscription or a destination to forward to (S-286) does not exist.
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.CreateQueue create) {
    QueueState existing = state.queue(create.definition().path());
    if (existing == null) {
      QueueId queue = new QueueId(state.nextQueueNumber);
      QueueId deadLetters = new QueueId(state.nextQueueNumber + 1);
      if (!hasParent(state, create.definition())) {
        return refused(stamp, create, new Refusal.EntityNotFound());
      }
      String lost = missingDestination(state, create.definition());
      if (lost != null) {
        return refused(stamp, create, new Refusal.ForwardDestinationNotFound(lost));
      }
      DecisionBuilder draft = new DecisionBuilder();
      QueueDefinition named = named(state, create.definition());
      draft.add(new Fact.QueueCreated(queue, deadLetters, named, stamp.nowMillis()));
      addRules(draft, stamp, create, queue);
      boolean isBelow = create.definition().role() instanceof QueueRole.Subscription;
      draft.add(new Grant.Used(queue, stamp, isBelow)); // S-307: its idle time begins
      return draft.add(ready(stamp, create, queue, deadLetters, true)).build();
    }
    String difference = difference(existing.definition(), create.definition());
    difference = difference == null ? difference(existing, create.rules()) : difference;
    if (difference != null) {
      Refusal refusal = new Refusal.EntityAlreadyExists(existing.definition().path(), difference);
      return refused(stamp, create, refusal);
    }
    return Decision.telling(
        ready(stamp, create, existing.id(), existing.deadLetters().id(), false));
  }

  /**
   * The definition with the name that it is kept and told under (S-524): queues and topics in lower
   * case, subscriptions below their topic as that is spelled. Entities of earlier versions keep
   * their spelling.
   */
  private static QueueDefinition named(MachineState state, QueueDefinition wanted) {
    String path = wanted.path();
    return switch (wanted.role()) {
      case QueueRole.Queue queue -> wanted.with().path(path.toLowerCase(Locale.ROOT)).build();
      case QueueRole.Topic topic -> wanted.with().path(path.toLowerCase(Locale.ROOT)).build();
      case QueueRole.Subscription below -> {
        String topic =
            Invariant.present(state.queue(below.topicPath()), "it was looked for")
                .definition()
                .path();
        String rest =
            path.regionMatches(true, 0, topic, 0, topic.length())
                ? topic + path.substring(topic.length())
                : path;
        yield wanted
            .with()
            .path(rest)
            .role(new QueueRole.Subscription(topic, below.deadLetteringOnFilterErrors()))
            .build();
      }
      case QueueRole.Transfers transfers -> wanted;
    };
  }

  private static Decision refused(Stamp stamp, Request.CreateQueue create, Refusal refusal) {
    return Refusals.whole(create.origin(), stamp, create.ticket(), 0, refusal);
  }

  /** Whether the topic of a subscription, or the entity of a transfer queue, exists. */
  private static boolean hasParent(MachineState state, QueueDefinition definition) {
    if (definition.role() instanceof QueueRole.Transfers transfers) {
      return state.queue(transfers.entityPath()) != null;
    }
    if (definition.role() instanceof QueueRole.Subscription subscription) {
      QueueState topic = state.queue(subscription.topicPath());
      return topic != null && topic.topic() != null;
    }
    return true;
  }

  /** S-286: the path that it cannot forward to; null when there is none. */
  static @Nullable String missingDestination(MachineState state, QueueDefinition definition) {
    String itself = definition.path();
    if (itself.equalsIgnoreCase(definition.forwardTo())) {
      return itself;
    }
    for (String path : Arrays.asList(definition.forwardTo(), definition.forwardDeadLettersTo())) {
      QueueState found = path == null ? null : state.queue(path);
      boolean fits =
          found == null
              ? itself.equalsIgnoreCase(path)
                  && !(definition.role() instanceof QueueRole.Subscription)
              : found.subscription() == null;
      if (path != null && !fits) {
        return path;
      }
    }
    return null;
  }

  /** S-313, S-314. */
  private static void addRules(
      DecisionBuilder draft, Stamp stamp, Request.CreateQueue create, QueueId queue) {
    if (create.definition().role() instanceof QueueRole.Subscription) {
      List<Rule> rules = create.rules();
      if (rules == null) {
        draft.add(new Fact.RuleAdded(queue, Rule.selectingAll(stamp.nowMillis())));
      } else {
        for (Rule rule : rules) {
          draft.add(new Fact.RuleAdded(queue, rule.as(rule.name(), stamp.nowMillis())));
        }
      }
    }
  }

  /** The first rule that differs, in words; null when none does, or no rules are given. */
  private static @Nullable String difference(QueueState existing, @Nullable List<Rule> wanted) {
    SubscriptionState subscription = existing.subscription();
    if (subscription == null || wanted == null) {
      return null;
    }
    for (Rule rule : wanted) {
      Rule is = subscription.rule(rule.name());
      if (is == null) {
        return "it has no rule " + rule.name();
      }
      if (!is.filter().equals(rule.filter()) || !Objects.equals(is.action(), rule.action())) {
        return "its rule " + rule.name() + " is another one";
      }
    }
    return subscription.rules().size() == wanted.size() ? null : "it has more rules";
  }

  private static Effect.QueueReady ready(
      Stamp stamp,
      Request.CreateQueue create,
      QueueId queue,
      QueueId deadLetters,
      boolean created) {
    return new Effect.QueueReady(
        create.origin(), stamp.index(), create.ticket(), queue, deadLetters, created);
  }

  /** The first property that differs, in words; null when all are equal but for the name's case. */
  private static @Nullable String difference(QueueDefinition is, QueueDefinition wanted) {
    String kind = difference(EntityProperties.ROLE, is, wanted);
    if (kind != null) {
      return kind;
    }
    for (EntityProperty<?> property : EntityProperties.ALL) {
      boolean counts =
          !property.equals(EntityProperties.PATH) && !property.equals(EntityProperties.ATTRIBUTES);
      String difference = counts ? difference(property, is, wanted) : null;
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private static @Nullable String difference(
      EntityProperty<?> property, QueueDefinition is, QueueDefinition wanted) {
    Object one = property.value(is);
    Object other = property.value(wanted);
    return one.equals(other)
        ? null
        : String.format(Locale.ROOT, "%s is %s, not %s", property.name(), one, other);
  }
}
