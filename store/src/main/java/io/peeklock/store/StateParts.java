package io.peeklock.store;

import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.kernel.machine.Machine;
import java.io.IOException;

/** Takes a state as it is written down, piece by piece. */
interface StateParts {

  /** The counters of the whole shard; first. */
  void namespace(Fact.NamespaceDescribed namespace) throws IOException;

  /** A queue; all of them before the first part ends. */
  void queue(EntityFact.QueueRestored queue) throws IOException;

  /** The rules of a subscription, behind the queue that it is. */
  void rules(Fact.RulesDescribed rules) throws IOException;

  /** Some of its messages. */
  void messages(MessagesRestored messages) throws IOException;

  /** How far a message of it is copied, before the messages. */
  void copied(Fact.CopyCursorRestored cursor) throws IOException;

  /** Some message ids that it remembers. */
  void ids(Fact.MessageIdsRestored ids) throws IOException;

  /** Some states of its sessions. */
  void states(Fact.SessionStatesRestored states) throws IOException;

  /** A few thousand messages were told. */
  default void partEnds() throws IOException {}

  /** Tells all of a state. */
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
    switch (part) { // no default: a new part of states must be thought about
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
