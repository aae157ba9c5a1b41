package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a queue that is a subscription has beside: its topic, and its rules. */
public final class SubscriptionState {

  private final QueueState queue;
  private final TopicState topic;
  private int place;
  private boolean deadLettersFailures;
  private RuleList<SubscriptionState> rules;

  /**
   * One without rules, which selects nothing (S-316).
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

  public int place() {
    return place;
  }

  void moveTo(int newPlace) {
    place = newPlace;
  }

  /** Is fed no more. */
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

  /** Whether every message is selected, where no rule of the topic looks at any. */
  public boolean selectsAll() {
    return rules.tally().selectingAll() > 0;
  }

  /** All of them, in order of addition. */
  public List<Rule> rules() {
    return rules.all();
  }

  /** Some of them. */
  public List<Rule> rules(RulePage page) {
    return rules.some(page);
  }

  public @Nullable Rule rule(String name) {
    return rules.named(name);
  }

  public void add(Rule rule) {
    rules.add(topic.rules().register(rules, rule), rule);
  }

  public void remove(String name) {
    RuleList.Numbered removed = rules.remove(name);
    if (removed != null) {
      topic.rules().unregister(removed);
    }
  }

  /** Has the rules of the one before it, whose topic's rules its topic has already. */
  public void takeRules(SubscriptionState before) {
    rules = before.rules;
    rules.moveTo(this);
  }

  /** Has these rules and no others. */
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
