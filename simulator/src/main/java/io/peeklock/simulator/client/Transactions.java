package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Submission;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
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

  private final ClientState state;
  private final Requests requests;
  private final TreeMap<String, OpenTransaction> open = new TreeMap<>();

  Transactions(ClientState state, Requests requests) {
    this.state = state;
    this.requests = requests;
  }

  private enum PartOfCommit implements Ticket {
    UNANSWERED
  }

  /** A settlement that the shard was asked to keep the lock of. */
  record Enlistment(
      PendingRequest asked, OpenTransaction in, Request.Settle settle, byte @Nullable [] overlay)
      implements Ticket {}

  /** A state that the shard was asked about. */
  record StateCheck(
      PendingRequest asked,
      OpenTransaction in,
      Request.SetSessionState set,
      byte @Nullable [] bytes)
      implements Ticket {}

  /** Scheduled messages that the shard was asked about. */
  record Search(PendingRequest asked, OpenTransaction in, QueueId queue, List<Long> numbers)
      implements Ticket {}

  /** There is another process, which knows of none. */
  void restarted() {
    open.clear();
  }

  boolean declare(Operation.Declare declare) {
    open.put(declare.transaction(), new OpenTransaction(declare.transaction()));
    state.answer(state.question(declare).id(), new Answer.Done());
    return true;
  }

  boolean send(Operation.SendIn send) {
    return send(send, send.transaction(), null, send.path(), send.messages());
  }

  boolean sendVia(Operation.SendVia send) {
    var via = state.directory.queue(send.via());
    return via != null
        && !Directory.isDeadLetterQueue(send.via())
        && send(send, send.transaction(), via, send.path(), send.messages());
  }

  private boolean send(
      Operation operation,
      String transaction,
      @Nullable QueueId via,
      String path,
      List<SentMessage> messages) {
    var in = open.get(transaction);
    if (in == null || in.discharge != null || Directory.isDeadLetterQueue(path)) {
      return false;
    }
    var to = state.directory.entity(path);
    var before = to == null ? null : in.sends.get(to.queue());
    if (before != null && !Objects.equals(before.via(), via)) {
      return false; // a commit has one send for each queue
    }
    var asked = state.question(operation);
    if (in.hasFailed) {
      state.answer(asked.id(), new Answer.Refused(ROLLED_BACK));
    } else if (to == null) {
      state.answer(asked.id(), Requests.NOT_FOUND);
    } else {
      in.sends
          .computeIfAbsent(
              to.queue(), first -> new OpenTransaction.Sends(to, via, new ArrayList<>()))
          .messages()
          .addAll(messages);
      state.answer(asked.id(), new Answer.Done());
    }
    return true;
  }

  boolean cancel(Operation.CancelIn operation) {
    var in = open.get(operation.transaction());
    var cancel = operation.cancel();
    var queue = state.directory.queue(cancel.path());
    if (in == null || in.discharge != null || in.hasFailed || queue == null) {
      return false;
    }
    var asked = state.question(operation);
    in.unanswered++;
    state.submit(
        new TransactionRequest.FindScheduled(
            state.management(),
            new Search(asked, in, queue, cancel.sequenceNumbers()),
            queue,
            Requests.numbers(cancel.sequenceNumbers())));
    return true;
  }

  boolean settle(Operation.SettleIn settle) {
    var in = open.get(settle.transaction());
    if (in == null || in.discharge != null || in.hasFailed) {
      return false;
    }
    var overlay = requests.overlay(settle.settle());
    var asked = state.question(settle);
    var plain = requests.settle(settle.settle(), asked, overlay);
    if (plain == null) {
      fail(in);
      state.answer(asked.id(), Requests.NOT_FOUND);
      return true;
    }
    in.unanswered++;
    var enlisting = new Enlistment(asked, in, plain, overlay);
    state.submit(new TransactionRequest.Enlist(in, copy(plain, enlisting, plain.overlay())));
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
    var queue = state.directory.queue(operation.set().path());
    if (in == null || in.discharge != null || in.hasFailed || queue == null) {
      return false;
    }
    var bytes = Requests.stateBytes(operation.set());
    var asked = state.question(operation);
    var set = requests.setState(operation.set(), queue, asked);
    in.unanswered++;
    var dispatcher =
        requests.setState(operation.set(), queue, new StateCheck(asked, in, set, bytes));
    state.submit(new TransactionRequest.CheckSessionState(dispatcher));
    return true;
  }

  boolean discharge(Operation.Discharge discharge) {
    var in = open.get(discharge.transaction());
    if (in == null || in.discharge != null) {
      return false;
    }
    var asked = state.question(discharge);
    in.discharge = new OpenTransaction.Discharge(asked.id(), discharge.commit());
    proceed(in, discharge);
    return true;
  }

  /** The shard keeps the locks, or does not. */
  void enlisted(
      Enlistment what,
      Effect.Enlisted effect,
      @Nullable Bodies earlier,
      HistoryRecorder.Event event) {
    state.answer(event, what.asked().id(), Responses.each(effect.refusals(), false));
    if (effect.refusals() != null) {
      fail(what.in());
    } else if (!what.in().hasFailed) {
      var overlay = what.overlay();
      if (overlay != null && earlier != null) {
        overlay = SimMessageFormat.merge(Responses.bytes(earlier, 0), overlay);
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
  void checked(StateCheck what, HistoryRecorder.Event event) {
    state.answer(event, what.asked().id(), new Answer.Done());
    if (!what.in().hasFailed) {
      var name =
          new OpenTransaction.SessionName(what.set().queue().number(), what.set().sessionId());
      what.in().states.put(name, new OpenTransaction.State(what.set(), what.bytes()));
    }
    answered(what.in());
  }

  /** They are scheduled. */
  void found(Search what, HistoryRecorder.Event event) {
    state.answer(event, what.asked().id(), new Answer.Done());
    if (!what.in().hasFailed) {
      what.in()
          .cancels
          .computeIfAbsent(what.queue(), first -> new ArrayList<>())
          .addAll(what.numbers());
    }
    answered(what.in());
  }

  /** Something that was asked in it is refused as a whole. */
  void refused(PendingRequest asked, OpenTransaction in, Answer why, HistoryRecorder.Event event) {
    state.answer(event, asked.id(), why);
    fail(in);
    answered(in);
  }

  private void answered(OpenTransaction in) {
    in.unanswered--;
    var discharge = in.discharge;
    if (discharge != null) {
      var asked = Objects.requireNonNull(state.unanswered.get(discharge.id()));
      proceed(in, (Operation.Discharge) asked);
    }
  }

  /** Nothing of it may happen any more (S-399). */
  private void fail(OpenTransaction in) {
    if (!in.hasFailed) {
      in.hasFailed = true;
      state.submit(new TransactionRequest.Rollback(state.management(), null, in, null));
    }
  }

  /** Ends it once all that was asked in it is answered. */
  private void proceed(OpenTransaction in, Operation.Discharge operation) {
    var discharge = Objects.requireNonNull(in.discharge);
    if (in.unanswered > 0) {
      return;
    }
    open.remove(in.name);
    var asked = new PendingRequest(discharge.id(), operation);
    if (in.hasFailed) {
      state.answer(
          discharge.id(), discharge.commit() ? new Answer.Refused(ROLLED_BACK) : new Answer.Done());
    } else if (discharge.commit()) {
      commit(in, asked);
    } else {
      state.submit(new TransactionRequest.Rollback(state.management(), asked, in, null));
    }
  }

  private void commit(OpenTransaction in, PendingRequest asked) {
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
            state.management(),
            asked,
            in,
            List.copyOf(in.settlements),
            cancellations(in),
            states,
            sends);
    if (first.isEmpty() && messages.isEmpty()) {
      state.submit(commit);
      return;
    }
    state
        .stager()
        .stage(
            first,
            messages,
            staged -> {
              if (staged == null) {
                state.submit(new TransactionRequest.Rollback(state.management(), null, in, null));
                state.answer(asked.id(), Requests.NO_ROOM);
              } else {
                state.submit(new Submission(commit, staged, null));
              }
            });
  }

  private List<Request.CancelScheduled> cancellations(OpenTransaction in) {
    var cancellations = new ArrayList<Request.CancelScheduled>();
    in.cancels.forEach(
        (queue, numbers) ->
            cancellations.add(
                new Request.CancelScheduled(
                    state.management(),
                    PartOfCommit.UNANSWERED,
                    queue,
                    numbers.stream().distinct().mapToLong(Long::longValue).toArray())));
    return cancellations;
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
    var burst = SendBursts.burst(sends.messages(), sends.to().definition());
    return new Request.Send(
        state.management(), null, sends.to().queue(), burst, true, false, sends.via());
  }
}
