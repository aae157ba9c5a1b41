package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.SendIn;
import io.peeklock.simulator.history.Operation.SetStateIn;
import io.peeklock.simulator.history.Operation.Settle;
import io.peeklock.simulator.history.Operation.SettleIn;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transactions: all of their work happens at the commit, or none (S-379, S-380). */
final class Transactions implements Clerk {
  private static final int MOST_MESSAGES = 100;

  private final World world;
  private final Sending sending;
  private final Settling settling;
  private final Sessions sessions;

  Transactions(World world, Sending sending, Settling settling, Sessions sessions) {
    this.world = world;
    this.sending = sending;
    this.settling = settling;
    this.sessions = sessions;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Operation.Declare declare -> {
        if (answer instanceof Answer.Done) {
          world.transactions.put(declare.transaction(), new Transaction());
        }
      }
      case SendIn send -> {
        Transaction open = join(send.transaction(), send, asked, answer, now);
        if (open != null && Each.done(expects(open, send), answer).size() > 0) {
          open.work.add(send);
        }
      }
      case SettleIn settle -> {
        Transaction open = join(settle.transaction(), settle, asked, answer, now);
        if (open != null && world.audits(settle.settle())) {
          reserve(open, settle, asked, answer, now);
        }
      }
      case SetStateIn set -> setState(set, asked, answer, now);
      case Operation.Discharge discharge -> discharge(discharge, asked, answer, now);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The open transaction; null when it may be over and the answer means nothing. */
  private @Nullable Transaction join(
      String name, Operation operation, Asked asked, Answer answer, long now) {
    Transaction open = world.transactions.get(name);
    boolean done = !(answer instanceof Answer.Refused);
    if (open == null || open.over) {
      if (done) {
        throw new Violation("S-398", name + " is no open transaction, yet takes " + operation);
      }
      return null;
    }
    open.begun(asked.atMillis(), now);
    return open.mayHaveLapsed(now) && !done ? null : open;
  }

  private void setState(SetStateIn set, Asked asked, Answer answer, long now) {
    Transaction open = join(set.transaction(), set, asked, answer, now);
    if (open == null) {
      return;
    }
    Expect expect = sessions.expectSet(set.set(), asked, now);
    if (isOther(open, set.set().path())) {
      expect.may("FeatureNotAvailable");
    }
    if (expect.done(answer)) {
      open.work.add(set);
    }
  }

  private List<Expect> expects(Transaction open, SendIn send) {
    long before =
        open.work.stream()
            .mapToLong(each -> each instanceof SendIn in ? in.messages().size() : 0)
            .sum();
    boolean many = before + send.messages().size() > MOST_MESSAGES;
    boolean other = isOther(open, send.path());
    return send.messages().stream().map(each -> expect(send, each, many, other)).toList();
  }

  private Expect expect(SendIn send, SentMessage sent, boolean many, boolean other) {
    Expect expect = sending.expect(send.path(), sent, sent.bytes());
    if (many) {
      expect.must("S-388", "TooMany", "QuotaExceeded");
    }
    return other ? expect.may("FeatureNotAvailable", "EntityNotFound") : expect;
  }

  /** S-391: whether two entities may be in one transaction depends on the profile. */
  private boolean isOther(Transaction open, String path) {
    return open.work.stream()
        .anyMatch(each -> !Place.root(Paths.of(each, world)).equals(Place.root(path)));
  }

  /** S-383: nobody else may settle it until the transaction ends. */
  private void reserve(Transaction open, SettleIn in, Asked asked, Answer answer, long now) {
    Settle settle = in.settle();
    boolean other = isOther(open, settle.path());
    List<Expect> expects =
        settle.lockIds().stream()
            .map(id -> settling.expect(settle, id, asked, now))
            .map(each -> other ? each.may("FeatureNotAvailable") : each)
            .toList();
    for (int index : Each.done(expects, answer)) {
      long id = settle.lockIds().get(index);
      settling.narrow(settle, id, asked);
      Copy copy = world.locks.get(id);
      if (copy != null) {
        copy.change(each -> each.reserved(in.transaction()));
        open.work.add(new SettleIn(in.transaction(), one(settle, id)));
      }
    }
  }

  private static Settle one(Settle all, long id) {
    return new Settle(
        all.path(),
        all.settlement(),
        List.of(id),
        all.changed(),
        all.reason(),
        all.answered(),
        all.receiver());
  }

  private void discharge(Operation.Discharge discharge, Asked asked, Answer answer, long now) {
    Transaction open = world.transactions.get(discharge.transaction());
    boolean done = !(answer instanceof Answer.Refused);
    if (open == null || open.over) {
      if (done) {
        throw new Violation("S-398", discharge.transaction() + " was discharged twice");
      }
      return;
    }
    boolean inTime = !open.mayHaveLapsed(now);
    if (done && discharge.commit() && open.hasLapsed(asked.atMillis())) {
      throw new Violation("S-386", discharge.transaction() + " was committed too late");
    }
    if (!done && inTime && isSound(open, discharge)) {
      new Expect("S-379").may("QuotaExceeded").done(answer);
    }
    open.over = true;
    if (done && discharge.commit()) {
      commit(open, discharge.transaction(), asked, now, null);
    } else {
      rollBack(discharge.transaction());
    }
  }

  /** All that it needs is still there for certain. */
  private boolean isSound(Transaction open, Operation.Discharge discharge) {
    return open.work.stream().allMatch(each -> isSound(each, discharge.transaction()));
  }

  private boolean isSound(Operation work, String transaction) {
    return switch (work) {
      case SendIn in ->
          in.messages().stream()
              .noneMatch(each -> sending.expect(in.path(), each, each.bytes()).surelyRefused());
      case SettleIn in -> {
        Copy copy = world.locks.get(in.settle().lockIds().get(0));
        yield copy != null && copy.must(each -> transaction.equals(each.reserved()));
      }
      case SetStateIn in -> {
        Place place = world.find(in.set().path());
        yield world.holding(in.set().receiver(), place) != null;
      }
      default -> true;
    };
  }

  /** S-379, S-404, S-525. */
  private void commit(Transaction open, String name, Asked asked, long now, @Nullable Doubt doubt) {
    for (Operation work : open.work) {
      switch (work) {
        case SendIn in -> {
          for (SentMessage sent : in.messages()) {
            long tick = world.nextTick();
            long first = doubt == null ? tick : asked.tick();
            Entry entry = Entry.sent(sent, asked, first, tick, now, doubt);
            sending.put(world.find(in.path()), entry);
          }
        }
        case SettleIn in -> settle(in, name, doubt);
        case SetStateIn in -> sessions.change(in.set(), doubt);
        default -> {}
      }
    }
  }

  private void settle(SettleIn in, String name, @Nullable Doubt doubt) {
    long id = in.settle().lockIds().get(0);
    Copy copy = world.locks.get(id);
    if (copy == null || world.untracked.contains(copy.sent.tag())) {
      return;
    }
    if (doubt == null) {
      copy.narrow(
          each -> name.equals(each.reserved()) || each.kind() == Situation.Kind.AWAY,
          "S-379",
          copy.sent.tag() + " was committed without its lock");
    }
    settling.settle(in.settle(), id, doubt);
  }

  /** S-381: the locks are as before. */
  private void rollBack(String name) {
    for (Copy copy : world.copies()) {
      if (copy.may(each -> name.equals(each.reserved()))) {
        copy.change(each -> name.equals(each.reserved()) ? each.reserved(null) : each);
      }
    }
  }

  /** INV-7: a commit in doubt is whole or not at all. */
  @Override
  public void inDoubt(Asked asked, long now) {
    if (asked.operation() instanceof Operation.Discharge discharge && discharge.commit()) {
      Transaction open = world.transactions.get(discharge.transaction());
      if (open != null && !open.over) {
        Doubt whole = new Doubt("S-379", discharge.transaction() + " was committed in part");
        commit(open, discharge.transaction(), asked, now, whole);
      }
    }
  }
}
