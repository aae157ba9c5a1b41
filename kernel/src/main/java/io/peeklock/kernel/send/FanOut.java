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
 * Decides which subscriptions get copies of messages that become active in a topic (S-053): one
 * copy for all matching rules without an action (S-318), and one more for each matching rule with
 * an action (S-319, S-320).
 */
public final class FanOut {

  private static final PropertyName RULE_NAME = new PropertyName("RuleName");
  private static final PropertyName REASON = new PropertyName("DeadLetterReason");
  private static final PropertyName DESCRIPTION = new PropertyName("DeadLetterErrorDescription");
  private static final long TICKS_PER_MILLI = 10_000;

  private final QueueState queue;
  private final TopicState topic;
  private final @Nullable CopyColumns[] columns; // null for a subscription that has no copy so far
  private final List<CopyColumns> touched = new ArrayList<>(); // of however many subscriptions
  private final List<Changed> changes = new ArrayList<>();
  private final PropertyChanges scratch = new PropertyChanges();
  private final ActionBudget actionBudget = new ActionBudget(0);
  private final FanOutBudget budget;
  private @Nullable CopyParts parts; // null when one part serves all
  private @Nullable CopyWeights weights; // of the message; null when its copies are light
  private long nowMillis;
  private long messages;
  private int copies;

  /** The result of {@link #add} for one message. */
  public enum Result {
    /** All copies are made. */
    COPIED,
    /** No rule selects it. */
    UNMATCHED,
    /** More subscriptions may select it than one decision reaches: no copy is made. */
    WIDE
  }

  /** The result of {@link #addPart} for one message. */
  public enum PartResult {
    /** All copies are made, the last of them now. */
    COPIED,
    /** No rule selects it. */
    UNMATCHED,
    /** Copies are made, and others are to be made later. */
    PART
  }

  /** A copy whose properties differ from its message's. */
  private record Changed(QueueState queue, long number, byte[] overlay) {}

  /**
   * Copies for one decision.
   *
   * @param queue of the topic
   * @param budget shared by everything that this decision copies
   */
  public FanOut(QueueState queue, TopicState topic, Stamp stamp, FanOutBudget budget) {
    this.queue = queue;
    this.topic = topic;
    this.nowMillis = stamp.nowMillis();
    this.budget = budget;
    this.parts =
        topic.subscriptions().size() <= budget.mostAtOnce()
            ? null
            : new CopyParts(topic, budget.mostAtOnce());
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
   * Makes the copies of one message, unless they are too many at once ({@link Result#WIDE}).
   *
   * @param message its index in the fact that is being collected
   * @param source the message as filters see it; null only when no rule of the topic looks at
   *     messages
   * @param expiresAtMillis the earlier of what message and topic say
   */
  public Result add(int message, @Nullable MessageView source, long expiresAtMillis) {
    RuleMatches matches = match(source);
    if (parts == null && weights != null) {
      parts = new CopyParts(topic, budget.mostAtOnce());
    }
    if (parts != null && parts.isTooMany(matches, weights)) {
      budget.evaluated(matches == null ? 0 : topic.rules().stepsTaken());
      return Result.WIDE;
    }
    return copy(message, source, matches, expiresAtMillis) ? Result.COPIED : Result.UNMATCHED;
  }

  /**
   * Makes a part of the copies of one message, for as many subscriptions as one decision reaches.
   *
   * @param source as in {@link #add}
   * @param expiresAtMillis as in {@link #add}
   * @param behind the number of the last subscription that was served with the message; 0 for a new
   *     message
   * @return {@link PartResult#UNMATCHED} only for a new message
   */
  public PartResult addPart(@Nullable MessageView source, long expiresAtMillis, int behind) {
    RuleMatches matches = match(source);
    if (parts == null) {
      parts = new CopyParts(topic, budget.mostAtOnce()); // others may have been deleted
    }
    if (behind == 0 && !parts.isTooMany(matches, weights)) {
      return copy(0, source, matches, expiresAtMillis) ? PartResult.COPIED : PartResult.UNMATCHED;
    }
    parts.begin(behind, matches, weights);
    copy(0, source, matches, expiresAtMillis);
    return parts.isOver() ? PartResult.COPIED : PartResult.PART;
  }

  /** The number of the last subscription that the last part served; 0 for none. */
  public int upTo() {
    return parts == null ? 0 : parts.upTo();
  }

  /** Sets the enqueued time of the message and its copies. */
  public void cameAt(long millis) {
    nowMillis = millis;
  }

  /**
   * Whether the topic has so many subscriptions that copies of one message may be made in parts, or
   * a message had so heavy ones.
   */
  public boolean copiesInParts() {
    return parts != null;
  }

  /** Whether some subscription selects a message. */
  public boolean selects(@Nullable MessageView source) {
    RuleMatches matches = match(source);
    if (matches == null) {
      return topic.rules().tally().selectingAll() > 0;
    }
    budget.evaluated(topic.rules().stepsTaken());
    return CopyParts.isAny(topic.rules(), matches);
  }

  /** The rules that match; null when no rule looks at messages. */
  private @Nullable RuleMatches match(@Nullable MessageView source) {
    messages++;
    weights = null;
    if (source == null) {
      return null;
    }
    RuleMatches matches = topic.rules().match(source, seed());
    weights = CopyWeights.of(topic, source, matches);
    return matches;
  }

  private boolean copy(
      int message,
      @Nullable MessageView source,
      @Nullable RuleMatches matches,
      long expiresAtMillis) {
    int before = copies;
    if (source == null || matches == null) {
      addToAll(message, expiresAtMillis);
    } else {
      addMatching(new Original(message, source, expiresAtMillis, sessionId(source)), matches);
    }
    budget.copied(copies - before);
    return copies > before;
  }

  private boolean isServed(SubscriptionState subscription) {
    return parts == null || parts.has(subscription);
  }

  /** Whether the budget is spent, so that further messages wait for a later decision. */
  public boolean isFull() {
    return budget.isSpent();
  }

  /** Whether the topic refuses a message that no subscription selects (S-055). */
  public boolean refusesUnmatched() {
    return topic.refusesUnmatched();
  }

  /** A message that is being copied. */
  private record Original(
      int message, MessageView source, long expiresAtMillis, @Nullable String sessionId) {}

  private void addToAll(int message, long expiresAtMillis) {
    int until = parts == null ? topic.subscriptions().size() : parts.until();
    int from = parts == null ? 0 : parts.from();
    budget.evaluated(until - from);
    for (int place = from; place < until; place++) {
      SubscriptionState each = topic.subscriptions().get(place);
      if (each.selectsAll()) {
        columns(each).add(message, expiry(each, expiresAtMillis), null, DeadLetterCause.NONE);
        copies++;
      }
    }
  }

  private void addMatching(Original original, RuleMatches matches) {
    int actions = addShared(original, matches);
    actionBudget.begin(actions);
    if (actions > 0) {
      addChanged(original, matches);
    }
    TopicRules<SubscriptionState> rules = topic.rules();
    for (int i = 0; i < matches.failedCount(); i++) {
      SubscriptionState failed = rules.owner(matches.failedRule(i)).subscription();
      if (failed != null && isServed(failed) && !isTooMuch(failed, original)) {
        fail(failed, original, "FilterException", matches.failure(i));
      }
    }
    budget.evaluated(rules.stepsTaken() + actionBudget.stepsTaken());
  }

  /** Adds the copies of rules without an action, and returns how many rules have one. */
  private int addShared(Original original, RuleMatches matches) {
    TopicRules<SubscriptionState> rules = topic.rules();
    int actions = 0;
    for (int i = 0; i < matches.count(); i++) {
      TopicRules.Owned<SubscriptionState> owned = rules.owner(matches.rule(i));
      if (owned.action() != null) {
        actions++;
      } else if (owned.subscription() != null && isServed(owned.subscription())) {
        addShared(owned.subscription(), original);
      }
    }
    return actions;
  }

  /** Adds the copies of rules with an action. */
  private void addChanged(Original original, RuleMatches matches) {
    TopicRules<SubscriptionState> rules = topic.rules();
    for (int i = 0; i < matches.count(); i++) {
      TopicRules.Owned<SubscriptionState> owned = rules.owner(matches.rule(i));
      SubscriptionState to = owned.action() == null ? null : owned.subscription();
      if (to != null && owned.action() != null && isServed(to) && !isTooMuch(to, original)) {
        addChanged(to, owned.rule().name(), owned.action(), original);
      }
    }
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
      expires = EnqueueFacts.expiry(queue.definition(), nowMillis, life.ticks() / TICKS_PER_MILLI);
    }
    String sessionId = session == null ? original.sessionId() : textOf(session);
    change(to, original, sessionId, add(to, original, expiry(to, expires), sessionId));
  }

  /** Stores the changed properties of a copy, active or dead letter. */
  private void change(
      SubscriptionState to, Original original, @Nullable String sessionId, long number) {
    QueueState where = lacksSession(to, sessionId) ? to.queue().deadLetters() : to.queue();
    changes.add(new Changed(where, number, overlay(original)));
  }

  /** An empty id is one. */
  private static boolean lacksSession(SubscriptionState at, @Nullable String sessionId) {
    return sessionId == null && at.queue().definition().requiresSession();
  }

  /** Makes one dead letter where the changed copies for a subscription would be too much. */
  private boolean isTooMuch(SubscriptionState at, Original original) {
    if (weights == null || !weights.isTooMuch(at.place())) {
      return false;
    }
    if (weights.beginsDeadLetter(at.place())) {
      deadLetter(at, original, "RuleActionException", sentence(weights, at, original));
    }
    return true;
  }

  private static String sentence(CopyWeights weights, SubscriptionState at, Original original) {
    return "the rules make "
        + weights.copies(at.place())
        + " copies with "
        + original.source().headBytes()
        + " bytes of properties each, together more than "
        + CopyWeights.MOST_OF_SUBSCRIPTION
        + " bytes";
  }

  /** S-195: a dead letter that says what failed; S-196: or nothing. */
  private void fail(SubscriptionState at, Original original, String reason, String description) {
    if (at.deadLettersFailures()) {
      deadLetter(at, original, reason, description);
    }
  }

  private void deadLetter(
      SubscriptionState at, Original original, String reason, String description) {
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
    if (topic.refusesUnmatched()) {
      budget.wroteAtOnce(overlay.length);
    } else {
      budget.wrote(overlay.length);
    }
    return overlay;
  }

  private long add(
      SubscriptionState to, Original original, long expires, @Nullable String sessionId) {
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

  private @Nullable String sessionId(MessageView source) {
    if (!topic.hasSessions()) {
      return null;
    }
    FilterValue sessionId = new FilterValue();
    source.system(SystemProperty.SESSION_ID, sessionId);
    return textOf(sessionId);
  }

  /** The text of a value; null for a value of another type. */
  public static @Nullable String textOf(FilterValue value) {
    return value.type() == ValueType.TEXT ? value.text() : null;
  }

  /** S-165: the earliest expiry of message, topic and subscription. */
  private long expiry(SubscriptionState at, long expiresAtMillis) {
    long life = at.queue().definition().defaultTimeToLiveMillis();
    return life == FOREVER ? expiresAtMillis : Math.min(expiresAtMillis, nowMillis + life);
  }

  /** Takes the copies since the last call, for a fact of this many messages. */
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
   * Adds the changed properties of copies, as bodies that the decision makes, after all others.
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
