package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.PartitionKeys;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A request weighs in the mailbox what it holds, whatever kind it is. */
class SubmissionWeightTest {
  private static final QueueId QUEUE = new QueueId(1);
  private static final long[] MANY = new long[10_000];

  private final Origin origin = new Origin() {};
  private final Ticket ticket = new Ticket() {};
  private final Transaction work = new Transaction() {};

  private static long weight(Request request) {
    return new Submission(request, null, null).weight();
  }

  private Request.Send send(
      @Nullable String @Nullable [] sessionIds, @Nullable PartitionKeys keys) {
    var count = 1_000;
    var burst =
        new SendBurst(
            count,
            new int[count],
            new int[count],
            new long[count],
            null,
            null,
            sessionIds,
            null,
            null,
            keys);
    return new Request.Send(origin, ticket, QUEUE, burst, false);
  }

  private Request.Settle settle() {
    return new Request.Settle(
        origin, ticket, QUEUE, Settlement.COMPLETE, MANY, MANY.length, false, null);
  }

  @Test
  @Rule("I-08")
  void manyNumbersWeighMoreThanFew() {
    assertThat(weight(new Request.CloseReceiver(origin))).isEqualTo(256);
    for (var request :
        List.of(
            settle(),
            new Request.Undelivered(origin, MANY, MANY.length, 1),
            new Request.Renew(origin, ticket, QUEUE, MANY),
            new Request.ReceiveDeferred(
                origin, ticket, QUEUE, MANY, ReceiveMode.PEEK_LOCK, null, Long.MAX_VALUE),
            new Request.CancelScheduled(origin, ticket, QUEUE, MANY))) {
      assertThat(weight(request)).as("%s", request.getClass()).isEqualTo(256 + 80_000);
    }
  }

  /** Each is of a single message, and waits with the properties whatever it is asked for. */
  @Test
  @Rule({"I-08", "I-46"})
  void changedPropertiesWeighInATransactionToo() {
    var changing =
        new Request.Settle(
            origin,
            ticket,
            QUEUE,
            Settlement.ABANDON,
            new long[1],
            1,
            false,
            new Overlay(50_000, 0));

    assertThat(new Submission(changing, null, new byte[50_000]).weight())
        .isEqualTo(256 + 8 + 50_000);
    assertThat(weight(new TransactionRequest.Enlist(work, changing))).isEqualTo(256 + 8 + 50_000);
  }

  @Test
  @Rule("I-08")
  void rowsOfASendWeighToo() {
    assertThat(weight(send(null, null))).isEqualTo(256 + 64_000);
    assertThat(weight(send(new String[1_000], null))).isEqualTo(256 + 320_000);
  }

  @Test
  @Rule("I-08")
  void aCommitWeighsAllOfItsParts() {
    var commit =
        new TransactionRequest.Commit(
            origin,
            ticket,
            work,
            List.of(settle(), settle()),
            List.of(),
            List.of(send(null, null)));

    assertThat(weight(commit)).isEqualTo(256 + 2 * (256 + 80_000) + 256 + 64_000);
  }
}
