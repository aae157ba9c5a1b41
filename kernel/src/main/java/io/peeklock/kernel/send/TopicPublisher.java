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

/** What becomes of the messages of a burst that come to a topic to be active at once. */
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
   * Makes the copies of the messages of a run, as many as this decision may make, and takes back
   * those that nobody selects.
   *
   * @return the first message whose copies are not made; the end of the run when all are
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
          case COPIED, PART -> published++;
          case UNMATCHED -> leaveOut(i);
          case WIDE -> {
            judge(i + 1, until); // it is selected itself
            return i;
          }
        }
      }
    }
    return until;
  }

  /** Nobody selects a message. */
  private void leaveOut(int i) {
    if (topic.refusesUnmatched()) {
      validation.takeBack(i, new Refusal.NoMatchingSubscription());
    } else {
      validation.takeBack(i, null);
      remember(i);
    }
  }

  /**
   * Leaves messages for later decisions; but a topic that refuses the unmatched must know of each.
   * One that copies messages in parts finds that out for as many as one decision may look at; for
   * others it takes making the copies, so all are refused.
   *
   * @return the first that is left; the end of the run when none is
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
   * Adds what is to be said beside the messages; bodies that are made count on from this id.
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
