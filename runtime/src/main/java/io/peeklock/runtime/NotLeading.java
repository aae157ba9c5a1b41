package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.TransactionRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a shard while its log does not lead: it reads and changes nothing, so that the
 * client may ask again, here later or at the leader.
 */
final class NotLeading {
  private static final Refusal REFUSAL = new Refusal.NotLeading();

  private NotLeading() {}

  /** The answer to a request; null for a request that gets none. */
  static @Nullable Effect refusing(Request request) {
    return switch (request) {
      case Request.Send send ->
          send.ticket() == null
              ? null
              : new Effect.SendAnswered(
                  send.origin(), 0, send.ticket(), each(send.burst().count()));
      case Request.Settle settle -> refusing(settle);
      case Request.OpenReceiver open -> new Effect.ReceiverEnded(open.origin(), 0, REFUSAL);
      default -> {
        var ticket = ticketOf(request);
        yield ticket == null ? null : new Effect.Refused(request.origin(), 0, ticket, REFUSAL);
      }
    };
  }

  private static @Nullable Effect refusing(Request.Settle settle) {
    return settle.ticket() == null
        ? null
        : new Effect.SettleAnswered(
            settle.origin(), 0, settle.ticket(), settle.settlement(), each(settle.count()));
  }

  private static Refusal[] each(int count) {
    var refusals = new Refusal[count];
    Arrays.fill(refusals, REFUSAL);
    return refusals;
  }

  private static @Nullable Ticket ticketOf(Request request) {
    return switch (request) { // no default: a new request must be refused to compile
      case Request.CreateQueue it -> it.ticket();
      case Request.AddRule it -> it.ticket();
      case Request.RemoveRule it -> it.ticket();
      case Request.ListRules it -> it.ticket();
      case Request.Send it -> it.ticket();
      case Request.CancelScheduled it -> it.ticket();
      case Request.OpenReceiver it -> null;
      case Request.Flow it -> null;
      case Request.Transferred it -> null;
      case Request.Undelivered it -> null;
      case Request.CloseReceiver it -> null;
      case Request.Settle it -> it.ticket();
      case Request.AcceptSession it -> it.ticket();
      case Request.RenewSession it -> it.ticket();
      case Request.GetSessionState it -> it.ticket();
      case Request.SetSessionState it -> it.ticket();
      case Request.ListSessions it -> it.ticket();
      case Request.Renew it -> it.ticket();
      case Request.ReceiveDeferred it -> it.ticket();
      case Request.Peek it -> it.ticket();
      case EntityRequest.UpdateQueue it -> it.ticket();
      case EntityRequest.DeleteQueue it -> it.ticket();
      case EntityRequest.EmptyNamespace it -> it.ticket();
      case EntityRequest.DeleteMessages it -> it.ticket();
      case EntityRequest.CountMessages it -> it.ticket();
      case EntityRequest.ReplaceRule it -> it.ticket();
      case TransactionRequest.Enlist it -> it.settle().ticket();
      case TransactionRequest.Commit it -> it.ticket();
      case TransactionRequest.Rollback it -> it.ticket();
      case TransactionRequest.GiveNumbers it -> it.ticket();
      case TransactionRequest.CheckSessionState it -> it.set().ticket();
      case TransactionRequest.FindScheduled it -> it.ticket();
    };
  }
}
