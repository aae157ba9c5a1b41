package io.peeklock.store;

import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.kernel.machine.Machine;
import java.io.IOException;

/** Receives a state as facts of a checkpoint, piece by piece. */
interface StateParts {

  /** The counters of the whole shard; first. */
  void namespace(Fact.NamespaceDescribed namespace) throws IOException;

  /** A queue; all queues come before the first part ends. */
  void queue(EntityFact.QueueRestored queue) throws IOException;

  /** The rules of a subscription, after its queue. */
  void rules(Fact.RulesDescribed rules) throws IOException;

  /** Some messages of a queue. */
  void messages(MessagesRestored messages) throws IOException;

  /** How far a message of a queue is copied; before the messages. */
  void copied(Fact.CopyCursorRestored cursor) throws IOException;

  /** Some message ids that a queue remembers. */
  void ids(Fact.MessageIdsRestored ids) throws IOException;

  /** Some session states of a queue. */
  void states(Fact.SessionStatesRestored states) throws IOException;

  /** The end of a part of a few thousand messages. */
  default void partEnds() throws IOException {}

  /** Passes on a whole state. */
  static void walk(Machine machine, StateParts to) throws IOException {
    var snapshot = machine.beginSnapshot();
    for (var part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      for (var fact : part) {
        walk(fact, to);
      }
      to.partEnds();
    }
    snapshot.end();
  }

  private static void walk(Fact fact, StateParts to) throws IOException {
    if (!(fact instanceof Fact.InCheckpoint part)) {
      throw new IllegalStateException("a snapshot says nothing like " + fact);
    }
    switch (part) { // no default: a new kind of part must be handled to compile
      case Fact.NamespaceDescribed namespace -> to.namespace(namespace);
      case EntityFact.QueueRestored queue -> to.queue(queue);
      case Fact.RulesDescribed rules -> to.rules(rules);
      case MessagesRestored messages -> to.messages(messages);
      case Fact.MessageIdsRestored ids -> to.ids(ids);
      case Fact.CopyCursorRestored cursor -> to.copied(cursor);
      case Fact.SessionStatesRestored states -> to.states(states);
    }
  }
}
