package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds, removes, replaces and lists the rules of a subscription; later evaluations see the change
 * (S-321).
 */
public final class RuleHandler {

  private RuleHandler() {}

  /**
   * Adds a rule; refused when the subscription does not exist, or has a rule of that name (S-317).
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.AddRule add) {
    SubscriptionState subscription = subscription(state, add.subscription());
    if (subscription == null) {
      return refused(stamp, add, add.ticket(), new Refusal.EntityNotFound());
    }
    Rule rule = add.rule();
    if (subscription.rule(rule.name()) != null) { // S-317
      return refused(stamp, add, add.ticket(), new Refusal.RuleAlreadyExists(rule.name()));
    }
    Rule dated = rule.as(rule.name(), stamp.nowMillis());
    return new DecisionBuilder()
        .add(new Fact.RuleAdded(add.subscription(), dated))
        .add(new Effect.RulesChanged(add.origin(), stamp.index(), add.ticket()))
        .build();
  }

  /** Removes a rule; refused when the subscription or the rule does not exist. */
  public static Decision decide(MachineState state, Stamp stamp, Request.RemoveRule remove) {
    SubscriptionState subscription = subscription(state, remove.subscription());
    if (subscription == null) {
      return refused(stamp, remove, remove.ticket(), new Refusal.EntityNotFound());
    }
    Rule rule = subscription.rule(remove.name());
    if (rule == null) {
      return refused(stamp, remove, remove.ticket(), new Refusal.RuleNotFound(remove.name()));
    }
    return new DecisionBuilder()
        .add(new Fact.RuleRemoved(remove.subscription(), rule.name()))
        .add(new Effect.RulesChanged(remove.origin(), stamp.index(), remove.ticket()))
        .build();
  }

  /**
   * Replaces the rule of the same name, which keeps the case of its name; refused when the
   * subscription or the rule does not exist.
   */
  public static Decision decide(
      MachineState state, Stamp stamp, EntityRequest.ReplaceRule replace) {
    SubscriptionState subscription = subscription(state, replace.subscription());
    if (subscription == null) {
      return refused(stamp, replace, replace.ticket(), new Refusal.EntityNotFound());
    }
    Rule rule = replace.rule();
    Rule before = subscription.rule(rule.name());
    if (before == null) {
      return refused(stamp, replace, replace.ticket(), new Refusal.RuleNotFound(rule.name()));
    }
    Rule dated = rule.as(before.name(), stamp.nowMillis());
    return new DecisionBuilder()
        .add(new Fact.RuleRemoved(replace.subscription(), before.name()))
        .add(new Fact.RuleAdded(replace.subscription(), dated))
        .add(new Effect.RulesChanged(replace.origin(), stamp.index(), replace.ticket()))
        .build();
  }

  /** Lists a page of rules; refused when the subscription does not exist. */
  public static Decision decide(MachineState state, Stamp stamp, Request.ListRules list) {
    SubscriptionState subscription = subscription(state, list.subscription());
    if (subscription == null) {
      return refused(stamp, list, list.ticket(), new Refusal.EntityNotFound());
    }
    List<Rule> rules = subscription.rules(list.page());
    return Decision.telling(
        new Effect.RulesListed(list.origin(), stamp.index(), list.ticket(), rules));
  }

  private static @Nullable SubscriptionState subscription(MachineState state, QueueId id) {
    QueueState queue = state.queue(id);
    return queue == null ? null : queue.subscription();
  }

  private static Decision refused(Stamp stamp, Request request, Ticket ticket, Refusal refusal) {
    return Refusals.whole(request.origin(), stamp, ticket, 0, refusal);
  }
}
