package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Submission;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that wait with the clients' edge, as those of the real one do: what is sent waits
 * here, what is settled keeps its locks in the shard, and one request commits all.
 */
final class Transactions {
  static final String ROLLED_BACK = "TransactionRolledBack";

  private final Desk desk;
  private final Requests requests;
  private final TreeMap<String, OpenTransaction> open = new TreeMap<>();

  Transactions(Desk desk, Requests requests) {
    this.desk = desk;
    this.requests = requests;
  }

  private enum PartOfCommit implements Ticket {
    UNANSWERED
  }

  /** A settlement that the shard was asked to keep the lock of. */
  record Enlisting(
      Asked asked, OpenTransaction in, Request.Settle settle, byte @Nullable [] overlay)
      implements Ticket {}

  /** A state that the shard was asked about. */
  record StateAsked(
      Asked asked, OpenTransaction in, Request.SetSessionState set, byte @Nullable [] bytes)
      implements Ticket {}

  /** There is another process, which knows of none. */
  void restarted() {
    open.clear();
  }

  boolean declare(Operation.Declare declare) {
    open.put(declare.transaction(), new OpenTransaction(declare.transaction()));
    desk.answer(desk.question(declare).id(), new Answer.Done());
    return true;
  }

  boolean send(Operation.SendIn send) {
    var in = open.get(send.transaction());
    if (in == null || in.discharge != null || Directory.isForTheDead(send.path())) {
      return false;
    }
    var to = desk.directory.entity(send.path());
    var asked = desk.question(send);
    if (in.hasFailed) {
      desk.answer(asked.id(), new Answer.Refused(ROLLED_BACK));
    } else if (to == null) {
      desk.answer(asked.id(), Requests.NOT_FOUND);
    } else {
      in.sends
          .computeIfAbsent(to.queue(), first -> new OpenTransaction.Sends(to, new ArrayList<>()))
          .messages()
          .addAll(send.messages());
      desk.answer(asked.id(), new Answer.Done());
    }
    return true;
  }

  boolean settle(Operation.SettleIn settle) {
    var in = open.get(settle.transaction());
    if (in == null || in.discharge != null || in.hasFailed) {
      return false;
    }
    var overlay = requests.overlay(settle.settle());
    var asked = desk.question(settle);
    var plain = requests.settle(settle.settle(), asked, overlay);
    if (plain == null) {
      fail(in);
      desk.answer(asked.id(), Requests.NOT_FOUND);
      return true;
    }
    in.unanswered++;
    var enlisting = new Enlisting(asked, in, plain, overlay);
    desk.submit(new TransactionRequest.Enlist(in, copy(plain, enlisting, plain.overlay())));
    return true;
  }

  private static Request.Settle copy(
      Request.Settle settle, @Nullable Ticket ticket, @Nullable Overlay overlay) {
    return new Request.Settle(
        settle.origin(),
        ticket,
        settle.queue(),
        settle.settlement(),
        settle.lockIds(),
        settle.count(),
        settle.atomic(),
        overlay,
        settle.holder());
  }

  boolean setState(Operation.SetStateIn operation) {
    var in = open.get(operation.transaction());
    var queue = desk.directory.queue(operation.set().path());
    if (in == null || in.discharge != null || in.hasFailed || queue == null) {
      return false;
    }
    var bytes = Requests.stateBytes(operation.set());
    var asked = desk.question(operation);
    var set = requests.setState(operation.set(), queue, asked);
    in.unanswered++;
    var asking = requests.setState(operation.set(), queue, new StateAsked(asked, in, set, bytes));
    desk.submit(new TransactionRequest.CheckSessionState(asking));
    return true;
  }

  boolean discharge(Operation.Discharge discharge) {
    var in = open.get(discharge.transaction());
    if (in == null || in.discharge != null) {
      return false;
    }
    var asked = desk.question(discharge);
    in.discharge = new OpenTransaction.Discharge(asked.id(), discharge.commit());
    proceed(in, discharge);
    return true;
  }

  /** The shard keeps the locks, or does not. */
  void enlisted(
      Enlisting what, Effect.Enlisted effect, @Nullable Bodies earlier, Chronicle.Line line) {
    desk.answer(line, what.asked().id(), Replies.each(effect.refusals(), false));
    if (effect.refusals() != null) {
      fail(what.in());
    } else if (!what.in().hasFailed) {
      var overlay = what.overlay();
      if (overlay != null && earlier != null) {
        overlay = LetterFormat.merge(Replies.bytes(earlier, 0), overlay);
      }
      if (overlay != null) {
        what.in().overlays.add(overlay);
      }
      var change = overlay == null ? null : new Overlay(overlay.length, effect.overlayId());
      what.in().settlements.add(copy(what.settle(), null, change));
    }
    answered(what.in());
  }

  /** The state can be set. */
  void checked(StateAsked what, Chronicle.Line line) {
    desk.answer(line, what.asked().id(), new Answer.Done());
    if (!what.in().hasFailed) {
      var name =
          new OpenTransaction.SessionName(what.set().queue().number(), what.set().sessionId());
      what.in().states.put(name, new OpenTransaction.State(what.set(), what.bytes()));
    }
    answered(what.in());
  }

  /** Something that was asked in it is refused as a whole. */
  void refused(Asked asked, OpenTransaction in, Answer why, Chronicle.Line line) {
    desk.answer(line, asked.id(), why);
    fail(in);
    answered(in);
  }

  private void answered(OpenTransaction in) {
    in.unanswered--;
    var discharge = in.discharge;
    if (discharge != null) {
      var asked = Objects.requireNonNull(desk.unanswered.get(discharge.id()));
      proceed(in, (Operation.Discharge) asked);
    }
  }

  /** Nothing of it may happen any more (S-399). */
  private void fail(OpenTransaction in) {
    if (!in.hasFailed) {
      in.hasFailed = true;
      desk.submit(new TransactionRequest.Rollback(desk.console(), null, in, null));
    }
  }

  /** Ends it once all that was asked in it is answered. */
  private void proceed(OpenTransaction in, Operation.Discharge operation) {
    var discharge = Objects.requireNonNull(in.discharge);
    if (in.unanswered > 0) {
      return;
    }
    open.remove(in.name);
    var asked = new Asked(discharge.id(), operation);
    if (in.hasFailed) {
      desk.answer(
          discharge.id(), discharge.commit() ? new Answer.Refused(ROLLED_BACK) : new Answer.Done());
    } else if (discharge.commit()) {
      commit(in, asked);
    } else {
      desk.submit(new TransactionRequest.Rollback(desk.console(), asked, in, null));
    }
  }

  private void commit(OpenTransaction in, Asked asked) {
    var first = new ArrayList<>(in.overlays);
    var states = new ArrayList<Request.SetSessionState>();
    for (var state : in.states.values()) {
      if (state.bytes() != null) {
        first.add(state.bytes());
      }
      states.add(withTicket(state.set()));
    }
    var messages = in.sends.values().stream().flatMap(to -> to.messages().stream()).toList();
    var sends = in.sends.values().stream().map(this::send).toList();
    var commit =
        new TransactionRequest.Commit(
            desk.console(), asked, in, List.copyOf(in.settlements), List.of(), states, sends);
    if (first.isEmpty() && messages.isEmpty()) {
      desk.submit(commit);
      return;
    }
    desk.stager()
        .stage(
            first,
            messages,
            staged -> {
              if (staged == null) {
                desk.submit(new TransactionRequest.Rollback(desk.console(), null, in, null));
                desk.answer(asked.id(), Requests.NO_ROOM);
              } else {
                desk.submit(new Submission(commit, staged, null));
              }
            });
  }

  private static Request.SetSessionState withTicket(Request.SetSessionState set) {
    return new Request.SetSessionState(
        set.origin(),
        PartOfCommit.UNANSWERED,
        set.queue(),
        set.sessionId(),
        set.holder(),
        set.bytes());
  }

  private Request.Send send(OpenTransaction.Sends sends) {
    var burst = Post.burst(sends.messages(), sends.to().definition());
    return new Request.Send(desk.console(), null, sends.to().queue(), burst, true);
  }
}
