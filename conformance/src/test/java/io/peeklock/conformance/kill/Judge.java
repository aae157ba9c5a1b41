package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Begun;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.Killed;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.Place;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads a history after the last drain and says which invariants it breaks: I-01 to I-07, I-12,
 * I-13, I-16, I-18, I-20 of the list in the reliability notes, and with those who judge beside it
 * I-24, I-25, I-27, I-31, I-33, I-35 and I-36. It assumes what the rig sees to: locks that outlive
 * a round, no time to live, no maximum of deliveries in reach, and a drain that takes everything.
 */
final class Judge {
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final SessionJudge sessions = new SessionJudge(violations);
  private final ScheduleJudge schedules = new ScheduleJudge(violations);
  private final WholeJudge wholes = new WholeJudge(violations);
  private int kills;
  private int fromCheckpoint;
  private int fromNewCheckpoint;
  private int checkpointsCutShort;
  private long newestCheckpoint = Long.MAX_VALUE; // whoever wrote the first is not known
  private int lost;
  private int cameBack;
  private int takenAndLost;

  private Judge() {}

  static Verdict over(List<Event> history) {
    var judge = new Judge();
    history.forEach(judge::read);
    judge.lives.values().forEach(judge::judge);
    judge.judgeNumbers();
    judge.sessions.judge(judge.lives);
    judge.schedules.judge(judge.lives);
    judge.wholes.judge(judge.lives);
    return judge.verdict();
  }

  private Life life(String id) {
    return lives.computeIfAbsent(id, Life::new);
  }

  private void read(Event event) {
    switch (event) {
      case SendTried tried -> life(tried.id()).sent(tried);
      case SendAnswered answered -> life(answered.id()).answered(answered);
      case Delivered delivered -> life(delivered.id()).deliveries.add(delivered);
      case SettleTried tried -> life(tried.id()).tried.add(tried);
      case SettleAnswered answered -> life(answered.id()).answers.add(answered);
      case Found found -> life(found.id()).found.add(found);
      case Killed killed -> kills++;
      case Begun begun -> read(begun);
      case Event.CancelTried tried -> life(tried.id()).cancelTried = tried;
      case Event.CancelAnswered answered -> life(answered.id()).cancelAnswered = answered;
      case Event.InSession member -> sessions.read(member);
      case Event.StateTried tried -> sessions.read(tried);
      case Event.StateAnswered answered -> sessions.read(answered);
      case Event.StateRead state -> sessions.read(state);
      case Event.DueAt due -> schedules.read(due);
      case Event.CameAt came -> schedules.read(came);
      case Event.Together together -> wholes.read(together);
      case Event.MoveTried move -> wholes.read(move);
    }
  }

  private void read(Begun begun) {
    fromCheckpoint += begun.checkpoint() > 0 ? 1 : 0;
    fromNewCheckpoint += begun.checkpoint() > newestCheckpoint ? 1 : 0;
    checkpointsCutShort += begun.unfinished() ? 1 : 0;
    newestCheckpoint = begun.checkpoint();
  }

  private void judge(Life life) {
    var send = life.send;
    if (send == null) {
      violation("I-02", life, "was never sent");
      return;
    }
    if (life.refused() && life.seen()) {
      violation("I-02", life, "was refused and is there");
    }
    for (var delivery : life.deliveries) {
      if (!delivery.whole()) {
        violation("I-04", life, "came back changed: " + delivery);
      }
      if (!delivery.queue().equals(send.queue())) {
        violation("I-02", life, "was sent to " + send.queue() + ": " + delivery);
      }
    }
    if (life.found.size() > 1) {
      violation("I-03", life, "is there more than once: " + life.found);
    }
    if (life.deliveries.stream().anyMatch(it -> it.mode() == Mode.RECEIVE_AND_DELETE)) {
      judgeTaken(life);
    } else if (isTakersQueue(send.queue())) {
      takenAndLost += life.accepted() && life.found.isEmpty() ? 1 : 0;
    } else {
      judgeLocked(life);
    }
  }

  /** Queues of takers are named so: their messages may be lost on the way. */
  static boolean isTakersQueue(String queue) {
    return queue.startsWith("taken");
  }

  private void judgeTaken(Life life) {
    if (life.deliveries.size() + life.found.size() > 1) {
      violation("I-07", life, "was received and deleted twice: " + life.deliveries + life.found);
    }
  }

  private void judgeLocked(Life life) {
    judgeCompletion(life);
    judgeSetAside(life, Disposition.DEFER, Place.DEFERRED);
    judgeSetAside(life, Disposition.DEAD_LETTER, Place.DEAD_LETTERS);
    judgeCounts(life);
    judgeMarks(life);
    judgeHolders(life);
    for (var answered : life.answers) {
      if (!answered.accepted()) {
        violation("I-18", life, "lost its lock before its time: " + answered);
      }
    }
    if (life.accepted()
        && life.found.isEmpty()
        && !life.triedTo(Disposition.COMPLETE)
        && !life.mayBeCancelled()) {
      lost++;
      violation("I-01", life, "was accepted and is lost; delivered " + life.deliveries);
    }
  }

  private void judgeCompletion(Life life) {
    var completed = life.confirmed(Disposition.COMPLETE);
    if (completed == null) {
      return;
    }
    var again =
        life.deliveries.stream().filter(delivery -> delivery.at() > completed.at()).findFirst();
    if (again.isPresent() || !life.found.isEmpty()) {
      cameBack++;
      violation("I-05", life, "was completed and came back: " + again + life.found);
    }
  }

  private void judgeSetAside(Life life, Disposition disposition, Place place) {
    var settled = life.confirmed(disposition);
    if (settled != null) {
      for (var delivery : life.deliveries) {
        if (delivery.at() > settled.at()) {
          violation("I-06", life, "was set aside (" + disposition + ") and delivered: " + delivery);
        }
      }
      if (life.found.isEmpty() || life.found.getFirst().place() != place) {
        violation(
            "I-06", life, "was set aside (" + disposition + ") and is not there: " + life.found);
      }
    }
    for (var found : life.found) {
      if (found.place() == place && !life.triedTo(disposition)) {
        violation("I-06", life, "was set aside by nobody: " + found);
      }
      if (settled != null && found.place() == place && found.mark() != settled.mark()) {
        violation("I-06", life, "lost what the settlement wrote: " + found);
      }
    }
  }

  private void judgeCounts(Life life) {
    var last = -1L;
    for (var delivery : life.deliveries) {
      last = judgeCount(life, delivery.at(), delivery.count(), last);
    }
    for (var found : life.found) {
      last = judgeCount(life, found.at(), found.count(), last);
    }
  }

  private long judgeCount(Life life, long at, long count, long last) {
    if (count < last) {
      violation("I-20", life, "count went down from " + last + " to " + count);
    }
    if (count < life.surelyCounted(at) || count > life.perhapsCounted(at)) {
      violation(
          "I-20",
          life,
          String.format(
              Locale.ROOT,
              "count is %d with %d failures confirmed, %d tried",
              count,
              life.surelyCounted(at),
              life.perhapsCounted(at)));
    }
    return Math.max(last, count);
  }

  /** What the last confirmed abandon wrote is there, unless a later one was tried. */
  private void judgeMarks(Life life) {
    for (var delivery : life.deliveries) {
      var sure = 0L;
      for (var answered : life.answers) {
        if (answered.accepted()
            && answered.disposition() == Disposition.ABANDON
            && answered.at() < delivery.at()) {
          sure = Math.max(sure, answered.mark());
        }
      }
      var mark = delivery.mark();
      var known = mark == 0 || life.tried.stream().anyMatch(tried -> tried.mark() == mark);
      if (mark < sure || !known) {
        violation("I-06", life, "an abandon wrote " + sure + ", not what came: " + delivery);
      }
    }
  }

  /** While a broker lives, nobody else gets a message before its holder gives it back. */
  private void judgeHolders(Life life) {
    for (var i = 1; i < life.deliveries.size(); i++) {
      var first = life.deliveries.get(i - 1);
      var second = life.deliveries.get(i);
      var givenBack =
          life.tried.stream()
              .anyMatch(
                  tried ->
                      tried.disposition() == Disposition.ABANDON
                          && tried.at() > first.at()
                          && tried.at() < second.at());
      if (first.life() == second.life() && !givenBack) {
        violation("I-16", life, "had two holders: " + first + " and " + second);
      }
    }
  }

  private void judgeNumbers() {
    var owners = new HashMap<String, String>();
    var numbers = new HashMap<String, Long>();
    for (var life : lives.values()) {
      for (var delivery : life.deliveries) {
        judgeNumber(life, delivery.queue(), delivery.number(), owners, numbers);
      }
      for (var found : life.found) {
        judgeNumber(life, found.queue(), found.number(), owners, numbers);
      }
    }
    judgeOrder(numbers);
  }

  private void judgeNumber(
      Life life, String queue, long number, Map<String, String> owners, Map<String, Long> numbers) {
    var owner = owners.putIfAbsent(queue + "#" + number, life.id);
    if (owner != null && !owner.equals(life.id)) {
      violation("I-12", life, "has the number " + number + " of " + owner);
    }
    var known = numbers.putIfAbsent(life.id, number);
    if (known != null && known != number) {
      violation(twiceStored(life), life, "had the number " + known + ", now " + number);
    }
  }

  /** What it breaks when a message has two numbers in its queue. */
  private static String twiceStored(Life life) {
    if (life.send != null && isForwarded(life.send)) {
      return "I-36";
    }
    return life.sends > 1 ? "I-33" : "I-12";
  }

  /** I-13: who was accepted before another began has the lower number. */
  private void judgeOrder(Map<String, Long> numbers) {
    record Moment(long at, boolean begins, Life life, long number) {}

    var moments = new ArrayList<Moment>();
    for (var life : lives.values()) {
      var send = life.send;
      var answer = life.answer;
      var number = numbers.get(life.id);
      if (send == null || number == null || isNumberedAgain(send)) {
        continue;
      }
      moments.add(new Moment(send.at(), true, life, number));
      if (answer != null && answer.accepted()) {
        moments.add(new Moment(answer.at(), false, life, number));
      }
    }
    moments.sort(java.util.Comparator.comparingLong(Moment::at));
    var highest = new HashMap<String, Long>();
    for (var moment : moments) {
      var send = moment.life().send;
      if (send == null) {
        continue;
      }
      var before = highest.getOrDefault(send.queue(), 0L);
      if (!moment.begins()) {
        highest.put(send.queue(), Math.max(before, moment.number()));
      } else if (moment.number() < before) {
        violation("I-13", moment.life(), moment.number() + " came after " + before);
      }
    }
  }

  /** A message gets another number when it is active at last, and one where it is forwarded to. */
  private static boolean isNumberedAgain(SendTried send) {
    return send.queue().equals(Load.LATER) || isForwarded(send);
  }

  private static boolean isForwarded(SendTried send) {
    return send.queue().equals(Load.RELAYED);
  }

  private void violation(String invariant, Life life, String what) {
    violations.add(invariant + ": " + life.id + " " + what);
  }

  private Verdict verdict() {
    var all = lives.values();
    return new Verdict(
        kills,
        fromCheckpoint,
        fromNewCheckpoint,
        checkpointsCutShort,
        count(Life::accepted),
        count(Life::refused),
        count(life -> life.send != null && life.answer == null),
        count(life -> life.answer == null && life.seen()),
        count(life -> life.confirmed(Disposition.COMPLETE) != null),
        count(life -> life.confirmed(Disposition.ABANDON) != null),
        count(life -> life.confirmed(Disposition.DEFER) != null),
        count(life -> life.confirmed(Disposition.DEAD_LETTER) != null),
        all.stream().mapToInt(Life::unknownSettlements).sum(),
        count(life -> life.deliveries.size() > 1),
        lost,
        cameBack,
        count(
            life -> life.deliveries.stream().anyMatch(it -> it.mode() == Mode.RECEIVE_AND_DELETE)),
        takenAndLost,
        mixed(),
        List.copyOf(violations));
  }

  private Mixed mixed() {
    return new Mixed(
        sessions.ordered(),
        sessions.states(),
        sessions.statesRead(),
        schedules.came(),
        count(Life::cancelled),
        count(life -> life.sends > 1),
        count(life -> life.acceptedSends > 1),
        wholes.copies(),
        wholes.moved(),
        wholes.unknownMoves(),
        count(life -> life.send != null && life.seen() && isForwarded(life.send)));
  }

  private int count(java.util.function.Predicate<Life> which) {
    return (int) lives.values().stream().filter(which).count();
  }
}
