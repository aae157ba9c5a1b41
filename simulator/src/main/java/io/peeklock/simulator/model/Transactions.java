package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What waits for the end of transactions. */
final class Transactions {
  private final Contents contents;
  private final Sending sending;
  private final Settling settling;
  private final Sessions sessions;
  private final ByNumber byNumber;
  private final Map<String, Open> open = new TreeMap<>();

  /** Those of which something was refused. */
  private final Set<String> doomed = new TreeSet<>();

  /** One that is not over. */
  private record Open(
      List<Operation.Send> sends,
      List<Operation.Settle> settles,
      List<Operation.CancelScheduled> cancels,
      List<Operation.SetState> sets) {}

  Transactions(
      Contents contents, Sending sending, Settling settling, Sessions sessions, ByNumber byNumber) {
    this.contents = contents;
    this.sending = sending;
    this.settling = settling;
    this.sessions = sessions;
    this.byNumber = byNumber;
  }

  private Open open(String name) {
    return open.computeIfAbsent(
        name,
        key ->
            new Open(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
  }

  /** What is sent in it. */
  Stream<Operation.Send> sends(String name) {
    var in = open.get(name);
    return in == null ? Stream.of() : in.sends.stream();
  }

  /** Whether it is done is not judged, as what it is about is not. */
  void via(Operation.SendVia send) {
    Stream.of(send.via(), send.path())
        .map(path -> new Operation.Send(path, List.of(), true, true))
        .forEach(open(send.transaction()).sends::add);
  }

  void sent(Operation.SendIn send, Answer answer) {
    if (answer instanceof Answer.Done) {
      open(send.transaction())
          .sends
          .add(new Operation.Send(send.path(), send.messages(), true, true));
    } else {
      never(send.path(), send.messages());
    }
  }

  /** S-381 to S-383: a lock waits with the transaction, and for as long. */
  void settled(Operation.SettleIn settle, Answer answer, Moment now) {
    var in = open(settle.transaction());
    settling.enlisted(settle, answer, now);
    joined(settle.transaction(), answer, () -> in.settles.add(settle.settle()));
  }

  /** S-399: once something of it was refused, its end is on its way. */
  private void joined(String transaction, Answer answer, Runnable waits) {
    if (answer instanceof Answer.Done) {
      waits.run();
    } else {
      doomed.add(transaction);
    }
    if (doomed.contains(transaction)) {
      letGo(transaction, true);
    }
  }

  /** They stay scheduled until its end, and may become active before. */
  void cancelled(Operation.CancelIn cancel, Answer answer) {
    var in = open(cancel.transaction());
    joined(cancel.transaction(), answer, () -> in.cancels.add(cancel.cancel()));
  }

  void set(Operation.SetStateIn set, Answer answer) {
    var in = open(set.transaction());
    joined(set.transaction(), answer, () -> in.sets.add(set.set()));
  }

  /** Nobody was told that it waits with its transaction. */
  void perhaps(Operation.SettleIn settle) {
    open(settle.transaction()).settles.add(settle.settle());
  }

  /** S-379, S-380. */
  void discharged(Operation.Discharge discharge, Answer answer, Moment from, Moment now) {
    var in = open.remove(discharge.transaction());
    if (in == null) {
      return;
    }
    if (discharge.commit() && answer instanceof Answer.Done) {
      for (var settle : in.settles) {
        settling.committed(settle, discharge.transaction(), now);
      }
      in.cancels.forEach(cancel -> byNumber.cancelled(cancel, answer, now));
      var when = new Moment(from.earliest(), now.latest());
      in.sends.forEach(send -> sending.answered(send, answer, when));
      in.sets.forEach(sessions::committed);
    } else {
      in.sends.forEach(send -> never(send.path(), send.messages()));
      letGo(discharge.transaction(), false);
    }
  }

  private void never(String path, List<SentMessage> messages) {
    if (contents.judged(path) != null) {
      messages.forEach(sending::never);
    }
  }

  /** Its locks are on their own again, now or soon. */
  private void letGo(String transaction, boolean isPerhaps) {
    Consumer<Copy> change =
        isPerhaps
            ? copy -> copy.mayBecome(state -> Stream.of(free(state, transaction)))
            : copy -> copy.become(state -> Stream.of(free(state, transaction)));
    contents.possibly(state -> isIn(state, transaction)).toList().forEach(change);
  }

  private static boolean isIn(State state, String transaction) {
    return state.lock != null && transaction.equals(state.lock.transaction());
  }

  private static State free(State state, String transaction) {
    return isIn(state, transaction)
        ? state.locked(new Lock(state.held().id(), state.held().until(), null))
        : state;
  }

  /** Whether it was committed is not known. */
  void perhaps(Operation.Discharge discharge, Moment from, Moment now) {
    var in = open.get(discharge.transaction());
    if (in != null && discharge.commit()) {
      var doubt = new Doubt();
      in.settles.forEach(settle -> settling.perhaps(settle, now, doubt));
      in.cancels.forEach(byNumber::perhaps);
      in.sends.forEach(send -> sending.perhaps(send, from, doubt));
      in.sets.forEach(sessions::perhaps);
    }
  }

  void restarted() {
    open.clear();
  }
}
