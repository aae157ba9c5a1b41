package io.peeklock.store;

import io.peeklock.kernel.Copies;
import io.peeklock.kernel.ForwardFact;
import io.peeklock.kernel.QueueId;
import java.util.function.Function;

/** Writes messages into the accounts of the queues that they come to from others. */
final class Moves {
  private Moves() {}

  static void note(ForwardFact fact, Function<QueueId, Account> accounts) {
    switch (fact) { // no default: a new fact must be thought about
      case ForwardFact.Forwarded moved -> {
        accounts.apply(moved.source()).settled(moved.sequenceNumbers());
        accounts
            .apply(moved.destination())
            .given(moved.firstSequenceNumber(), moved.sequenceNumbers().length);
      }
      case ForwardFact.ForwardPublished moved -> {
        var count = moved.sequenceNumbers().length;
        accounts.apply(moved.source()).settled(moved.sequenceNumbers());
        accounts.apply(moved.topic()).given(moved.firstSequenceNumber(), count);
        note(moved.copies(), count, accounts);
      }
      case ForwardFact.Dropped dropped ->
          accounts.apply(dropped.queue()).settled(dropped.sequenceNumbers());
    }
  }

  /** Copies of so many messages are in subscriptions. */
  static void note(Copies[] all, int messages, Function<QueueId, Account> accounts) {
    for (var copies : all) {
      var own = copies.messages();
      accounts
          .apply(copies.subscription())
          .given(copies.firstSequenceNumber(), own == null ? messages : own.length);
    }
  }
}
