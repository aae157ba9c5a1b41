package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Send;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends, schedules and cancels. */
final class Sending implements Clerk {
  private final World world;
  private final Quota quota;
  private final Arrivals arrivals;
  private final Moves moves;

  Sending(World world, Quota quota, Arrivals arrivals, Moves moves) {
    this.world = world;
    this.quota = quota;
    this.arrivals = arrivals;
    this.moves = moves;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Send send -> send(send, asked, answer, now);
      case Operation.CancelScheduled cancel -> cancel(cancel, answer);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** What the send of one message, of so many bytes in all, may be answered. */
  Expect expect(String path, SentMessage sent, long bytes) {
    Expect expect = new Expect("S-004").may("TooManyCopies");
    Place place = world.find(path);
    if (place == null) {
      return expect.must("S-062", "EntityNotFound");
    }
    if (place.kind == Place.Kind.DEAD_LETTERS || place.kind == Place.Kind.SUBSCRIPTION) {
      return expect.wrongKind("S-183");
    }
    if (!place.mayBeSentTo()) {
      expect.must("S-422", "EntityDisabled");
    }
    if (place.sessions() && sent.sessionId() == null) {
      expect.must("S-232", "SessionIdMissing");
    }
    boolean full = quota.isFull(place);
    return expect.mustWhen(full, quota.mayBeFull(place, bytes), "S-435", "QuotaExceeded");
  }

  private void send(Send send, Asked asked, Answer answer, long now) {
    List<Expect> expects =
        send.messages().stream().map(each -> expect(send.path(), each, bytes(send))).toList();
    List<Long> numbers = answer instanceof Answer.Numbered told ? told.sequenceNumbers() : null;
    if (numbers != null && numbers.size() != expects.size()) {
      throw new Violation("S-149", "not one number for each message");
    }
    if (send.atomic() && answer instanceof Answer.Each each) {
      boolean all = each.refusals().stream().noneMatch(why -> why != null);
      boolean none = each.refusals().stream().noneMatch(why -> why == null);
      if (!all && !none) {
        throw new Violation("S-405", "a batch was stored in part");
      }
    }
    Place place = world.find(send.path());
    for (int index : Each.done(expects, answer)) {
      SentMessage sent = send.messages().get(index);
      long tick = world.nextTick();
      List<Copy> copies = put(place, Entry.sent(sent, asked, tick, tick, now, null));
      if (numbers != null && place != null) {
        numbered(place, sent, copies, numbers.get(index), tick);
      }
    }
  }

  static long bytes(Send send) {
    return send.messages().stream().mapToLong(each -> each.bytes() + 300L).sum();
  }

  /** The copies that a message makes. */
  List<Copy> put(@Nullable Place place, Entry entry) {
    return place == null || world.isVague(place.path) ? List.of() : arrivals.enter(place, entry);
  }

  /** S-149, S-276: 0 for what was dropped; the number of a dropped one may be any. */
  private static void numbered(
      Place place, SentMessage sent, List<Copy> copies, long number, long tick) {
    for (Copy copy : copies) {
      if (copy.place != place) {
        continue;
      }
      if (number == 0) {
        copy.narrow(s -> s.kind() == Situation.Kind.AWAY, "S-266", sent.tag() + " is no duplicate");
      } else if (copy.must(s -> s.kind() != Situation.Kind.AWAY)) {
        place.numbers.learn(copy, number);
      }
    }
    boolean throughTopic =
        place.kind == Place.Kind.TOPIC && copies.stream().noneMatch(copy -> copy.place == place);
    if (throughTopic && number != 0 && !copies.isEmpty()) {
      Copy passing = new Copy(place, sent, null, false);
      passing.firstTick = tick;
      passing.lastTick = tick;
      place.numbers.learn(passing, number);
    }
  }

  /** S-153 to S-155. */
  private void cancel(Operation.CancelScheduled cancel, Answer answer) {
    Place place = world.find(cancel.path());
    Expect expect = new Expect("S-153");
    if (place == null) {
      expect.must("S-062", "EntityNotFound").done(answer);
      return;
    }
    List<@Nullable Copy> copies = new ArrayList<>();
    for (long each : cancel.sequenceNumbers()) {
      copies.add(numbered(place, each));
    }
    boolean none = copies.stream().anyMatch(each -> each == null);
    boolean all = copies.stream().allMatch(each -> each != null && each.must(Sending::isScheduled));
    expect.mustWhen(none, !all, "S-154", "ScheduledMessagesNotFound");
    if (!place.mayBeSentTo()) {
      expect.may("EntityDisabled");
    }
    if (place.kind == Place.Kind.SUBSCRIPTION || place.kind == Place.Kind.DEAD_LETTERS) {
      expect.may("FeatureNotAvailable", "EntityNotFound");
    }
    if (expect.done(answer)) {
      for (Copy copy : copies) {
        if (copy != null) {
          copy.narrow(Sending::isScheduled, "S-154", copy.sent.tag() + " was cancelled");
          copy.change(each -> Situation.GONE);
        }
      }
    }
  }

  private static boolean isScheduled(Situation s) {
    return s.kind() == Situation.Kind.SCHEDULED;
  }

  private static @Nullable Copy numbered(Place place, long number) {
    return place.copies.stream()
        .filter(copy -> copy.number == number && copy.may(Sending::isScheduled))
        .findFirst()
        .orElse(null);
  }

  @Override
  public void inDoubt(Asked asked, long now) {
    switch (asked.operation()) {
      case Send send -> maybe(send, asked, now, world.nextTick());
      case Operation.CancelScheduled cancel -> {
        Doubt doubt = new Doubt("S-155", "a cancellation in doubt was done in part");
        Place place = world.find(cancel.path());
        for (long number : cancel.sequenceNumbers()) {
          Copy copy = place == null ? null : numbered(place, number);
          if (copy != null) {
            moves.apply(
                copy,
                each -> isScheduled(each) ? List.of(new Outcome.Drop()) : List.of(),
                false,
                doubt);
          }
        }
      }
      default -> {}
    }
  }

  /** S-405: a batch as a whole; other messages each for itself. */
  void maybe(Send send, Asked asked, long now, long lastTick) {
    Doubt whole = new Doubt("S-405", "a batch in doubt was stored in part");
    for (SentMessage sent : send.messages()) {
      Doubt doubt = send.atomic() ? whole : new Doubt("S-002", sent.tag() + " in doubt");
      if (!expect(send.path(), sent, bytes(send)).surelyRefused()) {
        put(world.find(send.path()), Entry.sent(sent, asked, asked.tick(), lastTick, now, doubt));
      }
    }
  }

  /** A pre-settled message may have been stored by now (S-018, S-019). */
  List<Copy> unanswered(Send send, SentMessage sent, Asked asked, Doubt doubt) {
    boolean refused = expect(send.path(), sent, bytes(send)).surelyRefused();
    if (refused) {
      return new ArrayList<>();
    }
    long open = Long.MAX_VALUE;
    Entry entry = Entry.sent(sent, asked, asked.tick(), open, open, doubt);
    return put(world.find(send.path()), entry);
  }

  /** It could not have been refused. */
  boolean surelyStored(Send send, SentMessage sent) {
    Expect expect = expect(send.path(), sent, bytes(send));
    return !expect.surelyRefused() && !expect.mayBeRefused("QuotaExceeded");
  }
}
