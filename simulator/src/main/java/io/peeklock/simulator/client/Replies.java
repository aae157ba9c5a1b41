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
final class Replies {
  private final Desk desk;
  private final Transactions transactions;

  Replies(Desk desk, Transactions transactions) {
    this.desk = desk;
    this.transactions = transactions;
  }

  /** The broker tells somebody something; its bodies are given back. */
  void told(Party to, Effect effect, @Nullable Bodies bodies, Chronicle.Line line) {
    switch (effect) {
      case Effect.Delivered delivered -> {
        delivered(Objects.requireNonNull(to.receiver()), delivered, bodies, line);
        return;
      }
      case Effect.Peeked peeked -> {
        Mail.read(peeked.messages(), bodies, desk.locks, to, messages(peeked.ticket(), line));
        return;
      }
      case Effect.DeferredReceived received -> {
        Mail.read(received.messages(), bodies, desk.locks, to, messages(received.ticket(), line));
        return;
      }
      case Effect.Enlisted enlisted ->
          transactions.enlisted((Transactions.Enlisting) enlisted.ticket(), enlisted, bodies, line);
      case Effect.SessionStateRead read -> answer(read.ticket(), line, state(bodies));
      case Effect.Drained ignored -> drained(to, line);
      case Effect.SessionLost ignored -> ended(to, line, "SessionLockLost");
      case Effect.ReceiverEnded ended -> ended(to, line, why(ended.refusal()));
      case Effect.SessionAccepted accepted -> accepted(to, accepted, line);
      case Effect.Refused refused -> refused(refused, line);
      case Effect.SessionStateStored stored -> stored(stored.ticket(), line);
      default -> plain(effect, line);
    }
    if (bodies != null) {
      bodies.release();
    }
  }

  private void plain(Effect effect, Chronicle.Line line) {
    switch (effect) {
      case Effect.SendAnswered answered -> sent(answered, line);
      case Effect.SettleAnswered answered ->
          answer(answered.ticket(), line, each(answered.refusals(), false));
      case Effect.Cancelled cancelled -> answer(cancelled.ticket(), line, new Answer.Done());
      case Effect.TransactionEnded ended -> answer(ended.ticket(), line, new Answer.Done());
      case Effect.QueueReady ready -> answer(ready.ticket(), line, new Answer.Done());
      case Effect.QueueChanged changed -> answer(changed.ticket(), line, new Answer.Done());
      case Effect.RulesChanged changed -> answer(changed.ticket(), line, new Answer.Done());
      case Effect.Renewed renewed ->
          answer(renewed.ticket(), line, new Answer.LockedUntil(renewed.lockedUntilMillis()));
      case Effect.MessagesDeleted deleted ->
          answer(deleted.ticket(), line, new Answer.Deleted(deleted.count()));
      case Effect.MessagesCounted counted ->
          answer(counted.ticket(), line, counted(counted.counts().getFirst()));
      default -> throw new IllegalStateException("nobody asked for " + effect);
    }
  }

  private void answer(Ticket ticket, Chronicle.Line line, Answer answer) {
    desk.answer(line, ((Asked) ticket).id(), answer);
  }

  private void sent(Effect.SendAnswered answered, Chronicle.Line line) {
    var asked = (Asked) answered.ticket();
    var numbers = answered.sequenceNumbers();
    var isAtomic = Asking.isAtomic(asked.operation());
    answer(
        asked,
        line,
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

  private Consumer<@Nullable List<SeenMessage>> messages(Ticket ticket, Chronicle.Line line) {
    return seen -> {
      if (seen == null) {
        line.strikeOut();
        desk.unanswered.remove(((Asked) ticket).id());
      } else {
        answer(ticket, line, new Answer.Messages(seen));
      }
    };
  }

  private void stored(Ticket ticket, Chronicle.Line line) {
    if (ticket instanceof Transactions.StateAsked asked) {
      transactions.checked(asked, line);
    } else {
      answer(ticket, line, new Answer.Done());
    }
  }

  private void refused(Effect.Refused refused, Chronicle.Line line) {
    var why = new Answer.Refused(why(refused.refusal()));
    switch (refused.ticket()) {
      case Transactions.Enlisting what -> transactions.refused(what.asked(), what.in(), why, line);
      case Transactions.StateAsked what -> transactions.refused(what.asked(), what.in(), why, line);
      default -> answer(refused.ticket(), line, why);
    }
    var receiver = ((Party) refused.to()).receiver();
    if (receiver != null) {
      receiver.isOver = true;
    }
  }

  // ---- receivers

  private void delivered(
      Receiver to, Effect.Delivered delivered, @Nullable Bodies bodies, Chronicle.Line line) {
    var burst = delivered.messages();
    to.taken += burst.count();
    Mail.read(
        burst,
        bodies,
        desk.locks,
        to.party,
        seen -> {
          if (seen == null) {
            line.strikeOut();
            giveBack(to, delivered);
            desk.stop(to);
          } else {
            line.write(auditor -> auditor.delivered(to.name, seen, line.millis));
            if (!to.isOver) {
              desk.submit(new Request.Transferred(to.party, Mail.bytes(burst)));
            }
          }
        });
  }

  private void giveBack(Receiver to, Effect.Delivered delivered) {
    var locks = delivered.messages().lockIds();
    if (locks != null) {
      to.taken -= locks.length;
      var bytes = Mail.bytes(delivered.messages());
      var copy = Arrays.copyOf(locks, locks.length);
      desk.submit(new Request.Undelivered(to.party, copy, copy.length, bytes));
    }
  }

  private void drained(Party to, Chronicle.Line line) {
    var receiver = Objects.requireNonNull(to.receiver());
    receiver.isDraining = false;
    receiver.limit = receiver.taken;
    line.write(auditor -> auditor.drained(receiver.name, line.millis));
  }

  private void ended(Party to, Chronicle.Line line, String why) {
    var receiver = Objects.requireNonNull(to.receiver());
    receiver.isOver = true;
    line.write(auditor -> auditor.receiverEnded(receiver.name, why, line.millis));
  }

  private void accepted(Party to, Effect.SessionAccepted accepted, Chronicle.Line line) {
    Objects.requireNonNull(to.receiver()).sessionId = accepted.sessionId();
    answer(
        accepted.ticket(),
        line,
        new Answer.SessionAccepted(accepted.sessionId(), accepted.lockedUntilMillis()));
  }
}
