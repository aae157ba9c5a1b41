package io.peeklock.codec;

import io.peeklock.kernel.fact.Copies;

/** The fields of copies of messages, by subscription. */
final class CopiesCodec {
  private static final int MESSAGES = 1;
  private static final int EXPIRIES = 2;
  private static final int SESSIONS = 4;
  private static final int CAUSES = 8;
  private static final int ALL = MESSAGES | EXPIRIES | SESSIONS | CAUSES;

  private CopiesCodec() {}

  static void write(Copies[] all, long from, FactWriter out) {
    out.natural(all.length);
    for (var copies : all) {
      write(copies, from, out);
    }
  }

  private static void write(Copies copies, long from, FactWriter out) {
    out.queue(copies.subscription());
    out.unsigned(copies.firstSequenceNumber());
    var messages = copies.messages();
    var expiries = copies.expiresAtMillis();
    var sessionIds = copies.sessionIds();
    var causes = copies.causes();
    out.oneByte(
        (messages == null ? 0 : MESSAGES)
            | (expiries == null ? 0 : EXPIRIES)
            | (sessionIds == null ? 0 : SESSIONS)
            | (causes == null ? 0 : CAUSES));
    if (messages != null) {
      out.natural(messages.length);
      out.naturals(messages);
    }
    if (expiries != null) {
      out.distances(expiries, from);
    }
    if (sessionIds != null) {
      out.texts(sessionIds);
    }
    if (causes != null) {
      out.causes(causes);
    }
  }

  static Copies[] read(int messages, long from, FactReader in) throws UnreadableFact {
    var all = new Copies[in.count()];
    for (var i = 0; i < all.length; i++) {
      all[i] = oneSubscription(messages, from, in);
    }
    return all;
  }

  private static Copies oneSubscription(int messages, long from, FactReader in)
      throws UnreadableFact {
    var subscription = in.queue();
    var firstSequenceNumber = in.unsigned();
    var columns = in.oneByte();
    if ((columns & ~ALL) != 0) {
      throw new UnreadableFact("copies have columns that are not known");
    }
    var own = (columns & MESSAGES) == 0 ? null : in.naturals(in.count());
    for (var i = 0; own != null && i < own.length; i++) {
      if (own[i] >= messages) {
        throw new UnreadableFact("a copy is of message " + own[i] + " of " + messages);
      }
    }
    var count = own == null ? messages : own.length;
    return new Copies(
        subscription,
        firstSequenceNumber,
        own,
        (columns & EXPIRIES) == 0 ? null : in.distances(count, from),
        (columns & SESSIONS) == 0 ? null : in.texts(count),
        (columns & CAUSES) == 0 ? null : in.causes(count));
  }
}
