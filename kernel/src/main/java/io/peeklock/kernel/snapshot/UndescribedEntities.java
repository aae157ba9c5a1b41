package io.peeklock.kernel.snapshot;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The entities that a snapshot has still to describe: of ten thousand it would take several
 * milliseconds to do so at once. Each is described in its turn, or just before the first fact about
 * it; what is written then waits for its turn, as a subscription must come after its topic.
 */
final class UndescribedEntities {

  /** Describes one entity. */
  interface Description {
    void write(QueueState entity, List<Fact> facts);
  }

  private final MachineState state;
  private final int snapshot;
  private final int perStep;
  private final Description description;
  private final int end; // queues from this number on are newer than the snapshot
  private final List<QueueState> entities;
  private final Map<QueueState, List<Fact>> early = new LinkedHashMap<>();
  private int described;

  /** All entities of a state, the deleted ones at the end. */
  UndescribedEntities(MachineState state, int snapshot, int perStep, Description description) {
    this.state = state;
    this.snapshot = snapshot;
    this.perStep = perStep;
    this.description = description;
    this.end = state.nextQueueNumber;
    List<QueueState> all = new ArrayList<>(state.created());
    all.addAll(state.deleted());
    this.entities = all;
  }

  /** Whether all are described, each in its turn. */
  boolean areDescribed() {
    return described == entities.size();
  }

  /** Describes the next few. */
  void next(List<Fact> facts) {
    int until = Math.min(entities.size(), described + perStep);
    for (; described < until; described++) {
      QueueState each = entities.get(described);
      List<Fact> known = each.snapshot == snapshot ? early.remove(each) : null;
      if (known == null) {
        describe(each, facts);
      } else {
        facts.addAll(known);
      }
    }
  }

  /** Describes the entities that a fact is about, unless they are already. */
  void beforeFact(Fact fact) {
    if (areDescribed()) {
      return;
    }
    if (fact instanceof EntityFact.QueueMadeAgain made) {
      before(made.before());
    } else if (fact instanceof Fact.AboutQueue some) {
      before(some.queue());
    }
    if (fact instanceof Fact.MovesMessages moved) {
      before(moved.source());
      before(moved.destination());
    }
    if (fact instanceof Fact.CopiesMessages copied) {
      before(copied.topic());
      for (Copies copies : copied.copies()) {
        before(copies.subscription());
      }
    }
  }

  private void before(QueueId queue) {
    QueueState either = queue.number() >= end ? null : state.entities.at(queue.number());
    if (either != null) {
      QueueState entity = either.isDeadLetterQueue() ? either.deadLetters() : either;
      if (entity.snapshot != snapshot) {
        List<Fact> facts = new ArrayList<>();
        describe(entity, facts);
        early.put(entity, facts);
      }
    }
  }

  private void describe(QueueState entity, List<Fact> facts) {
    entity.snapshot = snapshot;
    description.write(entity, facts);
  }
}
