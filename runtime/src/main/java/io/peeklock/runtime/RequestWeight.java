package io.peeklock.runtime;

import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.TransactionRequest;
import java.util.List;

/**
 * Estimates the heap in bytes that a request holds while it waits, or that its answer will hold,
 * without reading its rows.
 */
final class RequestWeight {
  private static final long BASE = 256;
  private static final long ROW = 64;
  private static final long NUMBER = Long.BYTES;

  /** A text of 128 characters, the longest session id or partition key. */
  private static final long TEXT = 256;

  /** The weight of a request that walks or lists: that of its answer. */
  private static final long QUESTION = 16 << 10;

  private RequestWeight() {}

  static long of(Request request) {
    return BASE
        + switch (request) { // no default: a new request must be weighed to compile
          case Request.Send send -> burst(send.burst());
          case Request.Settle settle -> NUMBER * settle.lockIds().length;
          case Request.Undelivered back -> NUMBER * back.lockIds().length;
          case Request.Renew renew -> NUMBER * renew.lockIds().length;
          case Request.ReceiveDeferred receive -> NUMBER * receive.sequenceNumbers().length;
          case Request.CancelScheduled cancel -> NUMBER * cancel.sequenceNumbers().length;
          case TransactionRequest.FindScheduled find -> NUMBER * find.sequenceNumbers().length;
          case TransactionRequest.Enlist enlist -> enlisted(enlist.settle());
          case TransactionRequest.Commit commit ->
              sum(commit.settlements())
                  + sum(commit.cancellations())
                  + sum(commit.states())
                  + sum(commit.sends());
          case Request.Peek peek -> QUESTION;
          case Request.ListSessions list -> QUESTION;
          case Request.ListRules list -> QUESTION;
          case EntityRequest.DeleteMessages delete -> QUESTION;
          case EntityRequest.CountMessages count -> QUESTION;
          case Request.CreateQueue ignored -> 0;
          case Request.AddRule ignored -> 0;
          case Request.RemoveRule ignored -> 0;
          case Request.OpenReceiver ignored -> 0;
          case Request.Flow ignored -> 0;
          case Request.Transferred ignored -> 0;
          case Request.CloseReceiver ignored -> 0;
          case Request.AcceptSession ignored -> 0;
          case Request.RenewSession ignored -> 0;
          case Request.GetSessionState ignored -> 0;
          case Request.SetSessionState ignored -> 0;
          case EntityRequest.UpdateQueue ignored -> 0;
          case EntityRequest.DeleteQueue ignored -> 0;
          case EntityRequest.EmptyNamespace ignored -> 0;
          case EntityRequest.ReplaceRule ignored -> 0;
          case TransactionRequest.GiveNumbers ignored -> 0;
          case TransactionRequest.CheckSessionState ignored -> 0;
          case TransactionRequest.Rollback ignored -> 0;
        };
  }

  /** Its changed properties wait at the requester, in addition to the submission. */
  private static long enlisted(Request.Settle settle) {
    var overlay = settle.overlay();
    return NUMBER * settle.lockIds().length + (overlay == null ? 0 : overlay.bytes());
  }

  private static long burst(SendBurst burst) {
    var row = ROW;
    row += burst.sessionIds() == null ? 0 : TEXT;
    row += burst.partitionKeys() == null ? 0 : TEXT;
    return row * burst.sizes().length;
  }

  private static long sum(List<? extends Request> parts) {
    var sum = 0L;
    for (var part : parts) {
      sum += of(part);
    }
    return sum;
  }
}
