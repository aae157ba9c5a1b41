package io.peeklock.kernel.send;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FanOutBudget;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.filter.ActionBudget;
import io.peeklock.kernel.filter.ActionRun;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicRules;
import io.peeklock.kernel.state.TopicState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which subscriptions get copies of messages that become active in a topic, and what the copies are
 * (S-053): one for all matching rules without action (S-318), one more for each matching rule with
 * one (S-319, S-320).
 */
public final class FanOut {

  private static final PropertyName RULE_NAME = new PropertyName("RuleName");
  private static final PropertyName REASON = new PropertyName("DeadLetterReason");
  private static final PropertyName DESCRIPTION = new PropertyName("DeadLetterErrorDescription");
  private static final long TICKS_PER_MILLI = 10_000;

  private final QueueState queue;
  private final TopicState topic;
  private final Stamp stamp;
  private final @Nullable CopyColumns[] columns; // null for a subscription that has no copy so far
  private final List<CopyColumns> touched = new ArrayList<>(); // however many there are beside
  private final List<Changed> changes = new ArrayList<>();
  private final PropertyChanges scratch = new PropertyChanges();
  private final ActionBudget actionBudget = new ActionBudget(0);
  private final FanOutBudget budget;
  private long messages;
  private int copies;

  /** A copy whose properties differ from its message's. */
  private record Changed(QueueState queue, long number, byte[] overlay) {}

  public FanOut(QueueState queue, TopicState topic, Stamp stamp, FanOutBudget budget) {
    this.queue = queue;
    this.topic = topic;
    this.stamp = stamp;
    this.budget = budget;
    this.columns = new CopyColumns[topic.subscriptions().size()];
  }

  private CopyColumns columns(SubscriptionState subscription) {
    CopyColumns known = columns[subscription.place()];
    if (known == null) {
      known = new CopyColumns(subscription.queue());
      columns[subscription.place()] = known;
      touched.add(known);
      budget.reached();
    }
    return known;
  }

  /**
   * Makes the copies of one message.
   *
   * @param message its place in the fact that is being collected
   * @param source what filters see; null only when the topic does not look at messages
   * @param expiresAtMillis as message and topic say
   * @return whether there is any
   */
  public boolean add(int message, @Nullable MessageView source, long expiresAtMillis) {
    messages++;
    int before = copies;
    if (source == null) {
      addToAll(message, expiresAtMillis);
    } else {
      addMatching(new Original(message, source, expiresAtMillis, text(source)));
    }
    budget.copied(copies - before);
    return copies > before;
  }

  /** Whether the messages that follow are left to a later decision. */
  public boolean isFull() {
    return budget.isSpent();
  }

  /** Whether a message without copies is not to be taken (S-055). */
  public boolean refusesUnmatched() {
    return topic.refusesUnmatched();
  }

  /** What copies are made of. */
  private record Original(
      int message, MessageView source, long expiresAtMillis, String sessionId) {}

  private void addToAll(int message, long expiresAtMillis) {
    budget.evaluated(topic.subscriptions().size());
    for (SubscriptionState each : topic.subscriptions()) {
      if (each.selectsAll()) {
        columns(each).add(message, expiry(each, expiresAtMillis), "", DeadLetterCause.NONE);
        copies++;
      }
    }
  }

  private void addMatching(Original original) {
    TopicRules<SubscriptionState> rules = topic.rules();
    RuleMatches matches = rules.match(original.source(), seed());
    int actions = 0;
    for (int i = 0; i < matches.count(); i++) {
      TopicRules.Owned<SubscriptionState> owned = rules.owner(matches.rule(i));
      if (owned.action() != null) {
        actions++;
      } else if (owned.subscription() != null) {
        addShared(owned.subscription(), original);
      }
    }
    actionBudget.begin(actions);
    for (int i = 0; i < matches.count() && actions > 0; i++) {
      TopicRules.Owned<SubscriptionState> owned = rules.owner(matches.rule(i));
      if (owned.action() != null && owned.subscription() != null) {
        addChanged(owned.subscription(), owned.rule().name(), owned.action(), original);
      }
    }
    for (int i = 0; i < matches.failedCount(); i++) {
      SubscriptionState failed = rules.owner(matches.failedRule(i)).subscription();
      if (failed != null) {
        fail(failed, original, "FilterException", matches.failure(i));
      }
    }
    budget.evaluated(rules.stepsTaken() + actionBudget.stepsTaken());
  }

  private long seed() {
    return ((long) queue.id().number() << 40) + queue.nextSequenceNumber() + messages;
  }

  private void addShared(SubscriptionState to, Original original) {
    if (columns(to).beginShared(messages)) {
      long number = add(to, original, expiry(to, original.expiresAtMillis()), original.sessionId());
      if (original.source().isChanged()) {
        scratch.clear();
        change(to, original, original.sessionId(), number);
      }
    }
  }

  /** S-319, S-361: the copy of a rule with an action. */
  private void addChanged(SubscriptionState to, String rule, ActionRun action, Original original) {
    String failure = action.apply(original.source(), ~seed(), scratch, actionBudget);
    if (failure != null) {
      fail(to, original, "RuleActionException", failure);
      return;
    }
    scratch.set(RULE_NAME, FilterValue.of(rule));
    FilterValue session = scratch.of(SystemProperty.SESSION_ID);
    FilterValue life = scratch.of(SystemProperty.TIME_TO_LIVE);
    long expires = original.expiresAtMillis();
    if (life != null && life.type() == ValueType.DURATION) {
      expires =
          EnqueueFacts.expiry(
              queue.definition(), stamp.nowMillis(), life.ticks() / TICKS_PER_MILLI);
    }
    String sessionId = session == null ? original.sessionId() : textOf(session);
    change(to, original, sessionId, add(to, original, expiry(to, expires), sessionId));
  }

  /** Gives a copy properties of its own, wherever it is. */
  private void change(SubscriptionState to, Original original, String sessionId, long number) {
    QueueState where = lacksSession(to, sessionId) ? to.queue().deadLetters() : to.queue();
    changes.add(new Changed(where, number, overlay(original)));
  }

  private static boolean lacksSession(SubscriptionState at, String sessionId) {
    return sessionId.isEmpty() && at.queue().definition().requiresSession();
  }

  /** S-195: a dead letter that says what failed; S-196: or nothing. */
  private void fail(SubscriptionState at, Original original, String reason, String description) {
    if (!at.deadLettersFailures()) {
      return;
    }
    scratch.clear();
    scratch.set(REASON, FilterValue.of(reason));
    scratch.set(DESCRIPTION, FilterValue.of(description));
    long expires = expiry(at, original.expiresAtMillis());
    CopyColumns to = columns(at);
    long number =
        to.add(original.message(), expires, original.sessionId(), DeadLetterCause.RULE_FAILED);
    copies++;
    changes.add(new Changed(to.queue().deadLetters(), number, overlay(original)));
  }

  private byte[] overlay(Original original) {
    byte[] overlay = original.source().overlay(scratch);
    budget.wrote(overlay.length);
    return overlay;
  }

  private long add(SubscriptionState to, Original original, long expires, String sessionId) {
    copies++;
    return columns(to)
        .add(
            original.message(),
            expires,
            sessionId,
            lacksSession(to, sessionId)
                ? DeadLetterCause.SESSION_ID_MISSING
                : DeadLetterCause.NONE);
  }

  private String text(MessageView source) {
    if (!topic.hasSessions()) {
      return "";
    }
    FilterValue sessionId = new FilterValue();
    source.system(SystemProperty.SESSION_ID, sessionId);
    return textOf(sessionId);
  }

  public static String textOf(FilterValue value) {
    return value.type() == ValueType.TEXT ? value.text() : "";
  }

  /** S-165: the earliest of what message, topic and subscription say. */
  private long expiry(SubscriptionState at, long expiresAtMillis) {
    long life = at.queue().definition().defaultTimeToLiveMillis();
    return life == FOREVER ? expiresAtMillis : Math.min(expiresAtMillis, stamp.nowMillis() + life);
  }

  /** The copies since the last call, for a fact of so many messages. */
  public Copies[] take(int messagesOfFact) {
    List<Copies> taken = new ArrayList<>();
    for (CopyColumns each : touched) {
      if (!each.isEmpty()) {
        taken.add(each.take(messagesOfFact));
      }
    }
    return taken.toArray(Copies[]::new);
  }

  /**
   * Adds what differs in copies, as bodies that the decision makes, after all others.
   *
   * @return the id after those
   */
  public long addChanges(DecisionBuilder draft, long firstBodyId) {
    long bodyId = firstBodyId;
    for (Changed each : changes) {
      int bytes = each.overlay().length;
      draft.make(each.overlay());
      draft.add(
          new Fact.PropertiesChanged(
              each.queue().id(), each.number(), new Fact.StoredOverlay(bodyId, bytes)));
      bodyId++;
    }
    return bodyId;
  }
}
