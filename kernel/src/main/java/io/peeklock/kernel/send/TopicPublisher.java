package io.peeklock.kernel.send;

import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FanOutBudget;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TopicState;
import org.jspecify.annotations.Nullable;

/** Publishes the messages of a burst that are active at once in a topic. */
final class TopicPublisher {

  private final QueueState queue;
  private final TopicState topic;
  private final Stamp stamp;
  private final SendBurst burst;
  private final boolean atomic;
  private final SendValidation validation;
  private final FanOut fanOut;
  private final LongList unseen = new LongList();
  private int published; // of the run

  TopicPublisher(
      QueueState queue,
      TopicState topic,
      Stamp stamp,
      Request.Send send,
      SendValidation validation,
      FanOutBudget budget) {
    this.queue = queue;
    this.topic = topic;
    this.stamp = stamp;
    this.burst = send.burst();
    this.atomic = send.atomic();
    this.validation = validation;
    this.fanOut = new FanOut(queue, topic, stamp, budget);
  }

  /**
   * Makes the copies for a run of messages, as far as the budget allows, and takes back messages
   * that no subscription selects.
   *
   * @return the first message that was not copied; {@code until} when all were
   */
  int publish(int from, int until) {
    published = 0;
    for (int i = from; i < until; i++) {
      if (validation.stores(i)) {
        if (fanOut.isFull()) {
          return leave(i, until);
        }
        long expires =
            EnqueueFacts.expiry(queue.definition(), stamp.nowMillis(), burst.timeToLiveMillis()[i]);
        switch (fanOut.add(published, source(i), expires)) {
          case COPIED -> published++;
          case UNMATCHED -> leaveOut(i);
          case WIDE -> {
            judge(i + 1, until); // this one is selected
            return i;
          }
        }
      }
    }
    return until;
  }

  /** Handles a message that no subscription selects. */
  private void leaveOut(int i) {
    if (topic.refusesUnmatched()) {
      validation.takeBack(i, new Refusal.NoMatchingSubscription());
    } else {
      validation.takeBack(i, null);
      remember(i);
    }
  }

  /**
   * Leaves messages to later decisions, except in a topic that refuses unmatched messages and so
   * must judge each at once. If that topic copies in parts it evaluates rules for as many as one
   * decision may; otherwise judging means copying, so all are refused.
   *
   * @return the first message that is left; {@code until} when none is
   */
  int leave(int from, int until) {
    judge(from, until);
    return topic.refusesUnmatched() && !fanOut.copiesInParts() ? until : from;
  }

  private void judge(int from, int until) {
    for (int i = from; i < until && topic.refusesUnmatched(); i++) {
      if (validation.stores(i)) {
        if (!fanOut.copiesInParts() || fanOut.isFull()) {
          validation.takeBack(i, new Refusal.TooManyCopies(atomic));
        } else if (!fanOut.selects(source(i))) {
          validation.takeBack(i, new Refusal.NoMatchingSubscription());
        }
      }
    }
  }

  /** The copies of the messages that the last run published. */
  Copies[] copies() {
    return fanOut.take(published);
  }

  private @Nullable MessageView source(int i) {
    SendBurst.Subjects subjects = burst.subjects();
    if (!topic.looksAtMessages()) {
      return null;
    }
    if (subjects == null) {
      throw new IllegalArgumentException("messages for this topic come as filters see them");
    }
    return subjects.at(i);
  }

  private void remember(int i) {
    long[] hashes = burst.messageIdHashes();
    if (queue.rememberedIds() != null && hashes != null) {
      unseen.add(hashes[2 * i]);
      unseen.add(hashes[2 * i + 1]);
    }
  }

  /**
   * Adds the changed properties of copies; bodies that are made count up from this id.
   *
   * @return the id after those
   */
  long addRest(DecisionBuilder draft, long nextBodyId) {
    if (!unseen.isEmpty()) {
      draft.add(new Fact.MessageIdsSeen(queue.id(), unseen.toArray(), stamp.nowMillis()));
    }
    return fanOut.addChanges(draft, nextBodyId);
  }
}
