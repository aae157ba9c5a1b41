package io.peeklock.codec;

import io.peeklock.kernel.fact.Fact.SessionStateSet;
import io.peeklock.kernel.fact.Fact.SessionStatesRestored;
import java.util.List;

/** The layouts of facts about the states of sessions. */
final class SessionLayouts {
  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(
              18,
              SessionStateSet.class,
              (fact, out) -> {
                out.queue(fact.queue());
                out.text(fact.sessionId());
                out.unsigned(fact.bodyId());
                out.natural(fact.bytes());
                out.signed(fact.setAtMillis());
              },
              in ->
                  new SessionStateSet(
                      in.queue(), in.text(), in.unsigned(), in.natural(), in.signed())),
          FactLayout.of(
              19, SessionStatesRestored.class, SessionLayouts::write, SessionLayouts::restored));

  private SessionLayouts() {}

  private static void write(SessionStatesRestored fact, FactWriter out) {
    out.queue(fact.queue());
    out.natural(fact.bodyIds().length);
    out.texts(fact.sessionIds());
    out.distances(fact.bodyIds(), 0);
    out.naturals(fact.sizes());
    out.distances(fact.setAtMillis(), 0);
  }

  private static SessionStatesRestored restored(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var count = in.count();
    return new SessionStatesRestored(
        queue, in.texts(count), in.distances(count, 0), in.naturals(count), in.distances(count, 0));
  }
}
