package io.peeklock.kernel.queue;

import io.peeklock.kernel.Rule;
import io.peeklock.kernel.RulePage;
import io.peeklock.kernel.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a queue that is a subscription has beside: its topic, and its rules. */
final class SubscriptionState {

  private final QueueState queue;
  private final TopicState topic;
  private int place;
  private boolean deadLettersFailures;
  private int selectingAll;
  private final RuleList rules = new RuleList();

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
  }

  QueueState queue() {
    return queue;
  }

  TopicState topic() {
    return topic;
  }

  int place() {
    return place;
  }

  void moveTo(int newPlace) {
    place = newPlace;
  }

  /** Is fed no more. */
  void leaveTopic() {
    if (!topic.isClosed()) {
      replace(List.of());
      topic.remove(this);
    }
  }

  void deadLetterFailures(boolean wanted) {
    deadLettersFailures = wanted;
  }

  /** Whether a message whose rule fails is dead-lettered here (S-195) or left out (S-196). */
  boolean deadLettersFailures() {
    return deadLettersFailures;
  }

  /** Whether every message is selected, where no rule of the topic looks at any. */
  boolean selectsAll() {
    return selectingAll > 0;
  }

  /** All of them, in order of addition. */
  List<Rule> rules() {
    return rules.all();
  }

  /** Some of them. */
  List<Rule> rules(RulePage page) {
    return rules.some(page);
  }

  @Nullable Rule rule(String name) {
    return rules.named(name);
  }

  void add(Rule rule) {
    rules.add(topic.register(this, rule), rule);
    selectingAll += rule.filter() instanceof Filter.True ? 1 : 0;
  }

  void remove(String name) {
    RuleList.Numbered removed = rules.remove(name);
    if (removed != null) {
      topic.unregister(removed.number());
      selectingAll -= removed.rule().filter() instanceof Filter.True ? 1 : 0;
    }
  }

  /** Has these rules and no others. */
  void replace(List<Rule> wanted) {
    if (rules().equals(wanted)) {
      return;
    }
    rules.numbered().forEach(gone -> topic.unregister(gone.number()));
    List<RuleList.Numbered> registered = new ArrayList<>(wanted.size());
    selectingAll = 0;
    for (Rule rule : wanted) {
      registered.add(new RuleList.Numbered(topic.register(this, rule), rule.key(), rule));
      selectingAll += rule.filter() instanceof Filter.True ? 1 : 0;
    }
    rules.replace(registered);
  }
}
