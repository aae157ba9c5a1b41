package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The additional state of a subscription: its topic and its rules. */
public final class SubscriptionState {

  private final QueueState queue;
  private final TopicState topic;
  private int place;
  private boolean deadLettersFailures;
  private RuleList<SubscriptionState> rules;

  /**
   * A subscription without rules, which selects nothing (S-316).
   *
   * @param place among those of its topic, from 0
   */
  SubscriptionState(QueueState queue, TopicState topic, int place, boolean deadLettersFailures) {
    this.queue = queue;
    this.topic = topic;
    this.place = place;
    this.deadLettersFailures = deadLettersFailures;
    this.rules = new RuleList<>(this);
  }

  public QueueState queue() {
    return queue;
  }

  public TopicState topic() {
    return topic;
  }

  /** Its position among the subscriptions of its topic, from 0. */
  public int place() {
    return place;
  }

  void moveTo(int newPlace) {
    place = newPlace;
  }

  /** Leaves its topic, which feeds it no more. */
  void leaveTopic(LeavingRules leaving) {
    if (!topic.isClosed()) {
      leaving.add(topic.rules(), rules);
      topic.remove(this);
    }
  }

  void deadLetterFailures(boolean wanted) {
    deadLettersFailures = wanted;
  }

  /** Whether a message whose rule fails is dead-lettered here (S-195) or left out (S-196). */
  public boolean deadLettersFailures() {
    return deadLettersFailures;
  }

  /** Whether it selects every message; only for a topic whose rules read no message. */
  public boolean selectsAll() {
    return rules.tally().selectingAll() > 0;
  }

  /** All rules, in order of addition. */
  public List<Rule> rules() {
    return rules.all();
  }

  /** A page of the rules. */
  public List<Rule> rules(RulePage page) {
    return rules.some(page);
  }

  /** The rule of this name, whose case is ignored; null when there is none. */
  public @Nullable Rule rule(String name) {
    return rules.named(name);
  }

  /** Adds a rule, whose name must be new. */
  public void add(Rule rule) {
    rules.add(topic.rules().register(rules, rule), rule);
  }

  /** Removes the rule of this name, if there is one. */
  public void remove(String name) {
    RuleList.Numbered removed = rules.remove(name);
    if (removed != null) {
      topic.rules().unregister(removed);
    }
  }

  /**
   * Takes over the rules of the subscription that it replaces; its topic must have taken the
   * topic's rules already.
   */
  public void takeRules(SubscriptionState before) {
    rules = before.rules;
    rules.moveTo(this);
  }

  /** Replaces all rules. */
  public void replace(List<Rule> wanted) {
    if (rules().equals(wanted)) {
      return;
    }
    rules.numbered().forEach(topic.rules()::unregister);
    List<RuleList.Numbered> registered = new ArrayList<>(wanted.size());
    for (Rule rule : wanted) {
      int number = topic.rules().register(rules, rule);
      registered.add(new RuleList.Numbered(number, rule.key(), rule));
    }
    rules.replace(registered);
  }
}
