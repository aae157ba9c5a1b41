package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.SeenMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What the broker tells, in the words of the protocol. */
final class Responses {
  private final ClientState state;
  private final Transactions transactions;

  Responses(ClientState state, Transactions transactions) {
    this.state = state;
    this.transactions = transactions;
  }

  /** The broker tells somebody something; its bodies are given back. */
  void told(SimEndpoint to, Effect effect, @Nullable Bodies bodies, HistoryRecorder.Event event) {
    switch (effect) {
      case Effect.Delivered delivered -> {
        delivered(Objects.requireNonNull(to.receiver()), delivered, bodies, event);
        return;
      }
      case Effect.Peeked peeked -> {
        MessageReader.read(
            peeked.messages(), bodies, state.locks, to, messages(peeked.ticket(), event));
        return;
      }
      case Effect.DeferredReceived received -> {
        MessageReader.read(
            received.messages(), bodies, state.locks, to, messages(received.ticket(), event));
        return;
      }
      case Effect.Enlisted enlisted ->
          transactions.enlisted(
              (Transactions.Enlistment) enlisted.ticket(), enlisted, bodies, event);
      case Effect.SessionStateRead read -> answer(read.ticket(), event, state(bodies));
      case Effect.Drained ignored -> drained(to, event);
      case Effect.SessionLost ignored -> ended(to, event, "SessionLockLost");
      case Effect.ReceiverEnded ended -> ended(to, event, why(ended.refusal()));
      case Effect.SessionAccepted accepted -> accepted(to, accepted, event);
      case Effect.Refused refused -> refused(refused, event);
      case Effect.SessionStateStored stored -> stored(stored.ticket(), event);
      default -> plain(effect, event);
    }
    if (bodies != null) {
      bodies.release();
    }
  }

  private void plain(Effect effect, HistoryRecorder.Event event) {
    switch (effect) {
      case Effect.SendAnswered answered -> sent(answered, event);
      case Effect.SettleAnswered answered ->
          answer(answered.ticket(), event, each(answered.refusals(), false));
      case Effect.SessionsListed listed ->
          answer(listed.ticket(), event, new Answer.Sessions(listed.sessionIds()));
      case Effect.Cancelled cancelled -> cancelled(cancelled.ticket(), event);
      case Effect.TransactionEnded ended -> answer(ended.ticket(), event, new Answer.Done());
      case Effect.QueueReady ready -> answer(ready.ticket(), event, new Answer.Done());
      case Effect.QueueChanged changed -> changed(changed, event);
      case Effect.RulesChanged changed -> answer(changed.ticket(), event, new Answer.Done());
      case Effect.Renewed renewed ->
          answer(renewed.ticket(), event, new Answer.LockedUntil(renewed.lockedUntilMillis()));
      case Effect.MessagesDeleted deleted ->
          answer(deleted.ticket(), event, new Answer.Deleted(deleted.count()));
      case Effect.MessagesCounted counted ->
          answer(counted.ticket(), event, counted(counted.counts().getFirst()));
      default -> throw new IllegalStateException("nobody asked for " + effect);
    }
  }

  private void answer(Ticket ticket, HistoryRecorder.Event event, Answer answer) {
    state.answer(event, ((PendingRequest) ticket).id(), answer);
  }

  private void changed(Effect.QueueChanged changed, HistoryRecorder.Event event) {
    var asked = (PendingRequest) changed.ticket();
    if (Client.isMadeAgain(changed, asked.operation())) {
      state.madeAgain(asked);
    }
    answer(asked, event, new Answer.Done());
  }

  private void sent(Effect.SendAnswered answered, HistoryRecorder.Event event) {
    var asked = (PendingRequest) answered.ticket();
    var numbers = answered.sequenceNumbers();
    var isAtomic = RequestDispatcher.isAtomic(asked.operation());
    answer(
        asked,
        event,
        answered.refusals() == null && numbers != null
            ? new Answer.Numbered(LongStream.of(numbers).boxed().toList())
            : each(answered.refusals(), isAtomic));
  }

  /** What became of several: one refusal stands for all when there is one, or all are one. */
  static Answer each(@Nullable Refusal @Nullable [] refusals, boolean isAtomic) {
    if (refusals == null) {
      return new Answer.Done();
    }
    var whys = new ArrayList<@Nullable String>();
    for (var refusal : refusals) {
      whys.add(refusal == null ? null : why(refusal));
    }
    if (!isAtomic && whys.size() > 1) {
      return new Answer.Each(whys);
    }
    return whys.stream()
        .filter(Objects::nonNull)
        .findFirst()
        .<Answer>map(Answer.Refused::new)
        .orElseGet(Answer.Done::new);
  }

  static String why(Refusal refusal) {
    return refusal.getClass().getSimpleName();
  }

  private static Answer counted(@Nullable EntityCounts counts) {
    return counts == null
        ? Requests.NOT_FOUND
        : new Answer.Counted(
            counts.active(),
            counts.deadLetters(),
            counts.scheduled(),
            counts.transfers(),
            counts.transferDeadLetters());
  }

  private static Answer state(@Nullable Bodies bodies) {
    return new Answer.State(
        bodies == null ? null : new String(bytes(bodies, 0), StandardCharsets.UTF_8));
  }

  static byte[] bytes(Bodies bodies, int i) {
    var bytes = new byte[bodies.length(i)];
    bodies.buffer(i).get(bodies.offset(i), bytes);
    return bytes;
  }

  private Consumer<@Nullable List<SeenMessage>> messages(
      Ticket ticket, HistoryRecorder.Event event) {
    return seen -> {
      if (seen == null) {
        unreadable(ticket, event);
      } else {
        answer(ticket, event, new Answer.Messages(seen));
      }
    };
  }

  /** The edge ends the link of whoever asked; here that one request is refused. */
  void unreadable(Effect effect, HistoryRecorder.Event event) {
    switch (effect) {
      case Effect.Peeked peeked -> unreadable(peeked.ticket(), event);
      case Effect.DeferredReceived received -> unreadable(received.ticket(), event);
      case Effect.SessionStateRead read -> unreadable(read.ticket(), event);
      default -> event.discard();
    }
  }

  private void unreadable(Ticket ticket, HistoryRecorder.Event event) {
    answer(ticket, event, new Answer.Refused("Unreadable"));
  }

  private void stored(Ticket ticket, HistoryRecorder.Event event) {
    if (ticket instanceof Transactions.StateCheck asked) {
      transactions.checked(asked, event);
    } else {
      answer(ticket, event, new Answer.Done());
    }
  }

  private void cancelled(Ticket ticket, HistoryRecorder.Event event) {
    if (ticket instanceof Transactions.Search asked) {
      transactions.found(asked, event);
    } else {
      answer(ticket, event, new Answer.Done());
    }
  }

  private void refused(Effect.Refused refused, HistoryRecorder.Event event) {
    var why = new Answer.Refused(why(refused.refusal()));
    switch (refused.ticket()) {
      case Transactions.Enlistment what ->
          transactions.refused(what.asked(), what.in(), why, event);
      case Transactions.StateCheck what ->
          transactions.refused(what.asked(), what.in(), why, event);
      case Transactions.Search what -> transactions.refused(what.asked(), what.in(), why, event);
      default -> answer(refused.ticket(), event, why);
    }
    var receiver = ((SimEndpoint) refused.to()).receiver();
    if (receiver != null) {
      receiver.isOver = true;
    }
  }

  // ---- receivers

  private void delivered(
      Receiver to,
      Effect.Delivered delivered,
      @Nullable Bodies bodies,
      HistoryRecorder.Event event) {
    var burst = delivered.messages();
    MessageReader.read(
        burst,
        bodies,
        state.locks,
        to.endpoint,
        seen -> {
          if (seen == null) {
            event.write(auditor -> auditor.undelivered(to.name, event.millis));
            giveBack(to, delivered);
            state.stop(to);
          } else {
            event.write(auditor -> auditor.delivered(to.name, seen, event.millis));
            if (!to.isOver) {
              state.submit(new Request.Transferred(to.endpoint, MessageReader.bytes(burst)));
            }
          }
        });
  }

  private void giveBack(Receiver to, Effect.Delivered delivered) {
    var locks = delivered.messages().lockIds();
    if (locks != null) {
      var bytes = MessageReader.bytes(delivered.messages());
      var copy = Arrays.copyOf(locks, locks.length);
      state.submit(new Request.Undelivered(to.endpoint, copy, copy.length, bytes));
    }
  }

  private void drained(SimEndpoint to, HistoryRecorder.Event event) {
    var receiver = Objects.requireNonNull(to.receiver());
    receiver.isDraining = false;
    event.write(auditor -> auditor.drained(receiver.name, event.millis));
  }

  private void ended(SimEndpoint to, HistoryRecorder.Event event, String why) {
    var receiver = Objects.requireNonNull(to.receiver());
    receiver.isOver = true;
    event.write(auditor -> auditor.receiverEnded(receiver.name, why, event.millis));
  }

  private void accepted(
      SimEndpoint to, Effect.SessionAccepted accepted, HistoryRecorder.Event event) {
    Objects.requireNonNull(to.receiver()).sessionId = accepted.sessionId();
    answer(
        accepted.ticket(),
        event,
        new Answer.SessionAccepted(accepted.sessionId(), accepted.lockedUntilMillis()));
  }
}
