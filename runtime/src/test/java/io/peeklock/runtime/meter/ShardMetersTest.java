package io.peeklock.runtime.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardMetersTest {
  private static final QueueId ORDERS = new QueueId(1);
  private static final QueueId FAILED = new QueueId(2);
  private static final QueueId MANY = new QueueId(400);

  private final ShardMeters meters = new ShardMeters();

  private record Somebody() implements Origin {}

  private record Note() implements Ticket {}

  private static final class Together implements Transaction {}

  private long read(QueueId queue, Count what) {
    return meters.of(queue).read(what);
  }

  @Test
  void anEntityWithoutEventsHasZeroes() {
    assertThat(read(ORDERS, Count.INCOMING)).isZero();
    assertThat(read(MANY, Count.INCOMING)).isZero();
  }

  @Test
  @Rule("S-493")
  void storedMessagesAreIncomingWithTheirBytes() {
    meters.note(new Fact.Enqueued(MANY, 1, 1, 0, new int[] {10, 20}, new int[] {1, 1}, null));
    meters.note(new Fact.Enqueued(MANY, 3, 3, 0, new int[] {5}, new int[] {1}, null));

    assertThat(read(MANY, Count.INCOMING)).isEqualTo(3);
    assertThat(read(MANY, Count.INCOMING_BYTES)).isEqualTo(35);
    assertThat(read(ORDERS, Count.INCOMING)).isZero();
  }

  @Test
  @Rule("S-497")
  void deadLettersAndExpiredOnesAreNotOutgoing() {
    meters.note(
        new Fact.DeadLettered(
            ORDERS, FAILED, new long[] {1, 2}, DeadLetterCause.TTL_EXPIRED, false, null));
    meters.note(new Fact.Expired(ORDERS, new long[] {3}));
    meters.note(new Grant.Locked(ORDERS, new long[] {4, 5}, new long[] {1, 2}, 0));
    meters.note(new Fact.Consumed(ORDERS, new long[] {6}));

    assertThat(read(ORDERS, Count.OUTGOING)).isEqualTo(3);
    assertThat(read(ORDERS, Count.DEAD_LETTERED)).isEqualTo(2);
    assertThat(read(ORDERS, Count.EXPIRED)).isEqualTo(1);
    assertThat(read(ORDERS, Count.COMPLETED)).isEqualTo(1);
  }

  @Test
  void aCopyIsIncomingForItsSubscription() {
    var dead = new DeadLetterCause[] {DeadLetterCause.NONE, DeadLetterCause.RULE_FAILED};
    var all = new Copies(new QueueId(5), 1, null, null, null, null);
    var some = new Copies(new QueueId(7), 1, new int[] {0, 2}, null, null, dead);
    meters.note(
        new Fact.Published(
            ORDERS, 1, 1, 0, new int[] {1, 1, 1}, new int[3], null, new Copies[] {all, some}));

    assertThat(read(ORDERS, Count.INCOMING)).isEqualTo(3);
    assertThat(read(new QueueId(5), Count.INCOMING)).isEqualTo(3);
    assertThat(read(new QueueId(7), Count.INCOMING)).isEqualTo(2);
    assertThat(read(new QueueId(7), Count.DEAD_LETTERED)).isEqualTo(1);
  }

  @Test
  @Rule("S-300")
  void whatMovesOnIsNotOutgoingAndIsCountedWhereItComes() {
    meters.note(
        new ForwardFact.Forwarded(
            ORDERS, new long[] {1, 2}, MANY, 1, 0, null, null, null, "orders"));

    assertThat(read(ORDERS, Count.FORWARDED)).isEqualTo(2);
    assertThat(read(ORDERS, Count.OUTGOING)).isZero();
    assertThat(read(MANY, Count.FORWARDED_HERE)).isEqualTo(2);
    assertThat(read(MANY, Count.INCOMING)).isZero();
  }

  @Test
  @Rule("S-283")
  void aDroppedDuplicateIsIncomingToo() {
    var who = new Somebody();
    var burst = new SendBurst(4, new int[4], new int[4], new long[4]);
    var send = new Request.Send(who, new Note(), ORDERS, burst, false);
    var refusals = new Refusal[] {null, new Refusal.SessionIdMissing(), null, null};
    var stored = new Fact.Enqueued(ORDERS, 1, 1, 0, new int[] {1}, new int[] {1}, null);
    var elsewhere = new Fact.Enqueued(MANY, 1, 1, 0, new int[9], new int[9], null);
    var answer = new Effect.SendAnswered(who, 1, new Note(), refusals);
    meters.note(send, deciding(List.of(stored, elsewhere), answer));
    meters.note(stored);

    assertThat(read(ORDERS, Count.INCOMING)).isEqualTo(3);
    assertThat(read(ORDERS, Count.DUPLICATES)).isEqualTo(2);
    assertThat(read(MANY, Count.DUPLICATES)).isZero();
  }

  @Test
  @Rule("S-283")
  void aDuplicateOfATransactionIsCountedWhenItIsCommitted() {
    var who = new Somebody();
    var burst = new SendBurst(2, new int[2], new int[2], new long[2]);
    var commit =
        new TransactionRequest.Commit(
            who,
            new Note(),
            new Together(),
            List.of(),
            List.of(),
            List.of(new Request.Send(who, new Note(), ORDERS, burst, false)));
    var stored =
        new Fact.Published(ORDERS, 1, 1, 0, new int[] {1}, new int[1], null, new Copies[0]);
    meters.note(commit, answering(new Effect.Refused(who, 1, new Note(), new Refusal.StoreFull())));
    var refused = read(ORDERS, Count.DUPLICATES);
    meters.note(commit, deciding(List.of(stored), new Effect.TransactionEnded(who, 1, new Note())));

    assertThat(refused).isZero();
    assertThat(read(ORDERS, Count.DUPLICATES)).isEqualTo(1);
  }

  @Test
  void aScheduledMessageIsNoDuplicate() {
    var who = new Somebody();
    var burst = new SendBurst(1, new int[1], new int[1], new long[1]);
    var send = new Request.Send(who, new Note(), ORDERS, burst, true);
    var stored =
        new Fact.Scheduled(
            ORDERS, 1, 1, 0, new int[] {1}, new int[1], new long[] {9}, null, null, null);
    meters.note(send, deciding(List.of(stored), new Effect.SendAnswered(who, 1, new Note(), null)));

    assertThat(read(ORDERS, Count.DUPLICATES)).isZero();
  }

  @Test
  void deliveriesAreCountedByAttempt() {
    var failed = new int[] {0, 0, 1, 2, 4, 5, 9, 10, 2000, 0};
    var messages = delivered(failed);
    meters.noteDelivery(new Effect.Drained(new Somebody(), 1));
    meters.noteDelivery(new Effect.Delivered(new Somebody(), 1, ORDERS, messages));

    assertThat(read(ORDERS, Count.FIRST_ATTEMPTS)).isEqualTo(3);
    assertThat(read(ORDERS, Count.SECOND_ATTEMPTS)).isEqualTo(1);
    assertThat(read(ORDERS, Count.THIRD_TO_FIFTH_ATTEMPTS)).isEqualTo(2);
    assertThat(read(ORDERS, Count.SIXTH_TO_TENTH_ATTEMPTS)).isEqualTo(2);
    assertThat(read(ORDERS, Count.LATER_ATTEMPTS)).isEqualTo(2);
  }

  @Test
  void whatCannotBeReadIsTheBrokersError() {
    meters.noteUnreadable(ORDERS);

    assertThat(read(ORDERS, Count.SERVER_ERRORS)).isEqualTo(1);
    assertThat(read(ORDERS, Count.USER_ERRORS)).isZero();
  }

  private static MessageBurst delivered(int[] failed) {
    var count = failed.length;
    return new MessageBurst(
        new long[count],
        new long[count],
        null,
        new int[count],
        new long[count],
        new long[count],
        failed,
        new MessageState[count],
        null,
        null,
        null,
        null,
        0);
  }

  private static Decision answering(Effect effect) {
    return deciding(List.of(), effect);
  }

  private static Decision deciding(List<Fact> facts, Effect effect) {
    return new Decision(facts, List.of(), List.of(effect), null, List.of(), new long[0]);
  }

  @Test
  void aDeletedEntityIsForgotten() {
    meters.note(new Fact.Completed(ORDERS, new long[] {1}));
    meters.note(new EntityFact.QueueDeleted(ORDERS));
    meters.note(new EntityFact.Deleted(ORDERS, new long[] {2, 3}));

    assertThat(read(ORDERS, Count.COMPLETED)).isZero();
    assertThat(read(ORDERS, Count.DELETED)).isZero();
  }

  @Test
  void anEntityThatIsMadeAgainCountsFromZero() {
    var again = new QueueId(901);
    meters.note(new Fact.Completed(ORDERS, new long[] {1}));
    meters.note(
        new EntityFact.QueueMadeAgain(
            ORDERS, again, new QueueId(902), QueueDefinition.named("orders"), 0));
    meters.note(new EntityFact.Deleted(ORDERS, new long[] {2, 3}));

    assertThat(read(ORDERS, Count.COMPLETED)).isZero();
    assertThat(read(ORDERS, Count.DELETED)).isZero();
    assertThat(read(again, Count.COMPLETED)).isZero();
  }

  @Test
  @Rule("S-495")
  void aLostLockIsAUserErrorAndAFullQueueIsNot() {
    var who = new Somebody();
    var settle = new Request.Renew(who, new Note(), ORDERS, new long[] {1});
    var lost = new Effect.Refused(who, 1, new Note(), new Refusal.MessageLockLost());
    meters.note(settle, answering(lost));
    var burst = new SendBurst(2, new int[] {1, 1}, new int[] {0, 0}, new long[] {1, 1});
    var send = new Request.Send(who, new Note(), ORDERS, burst, false);
    var refusals = new Refusal[] {null, new Refusal.QuotaExceeded(5, 4)};
    var enqueued = new Fact.Enqueued(ORDERS, 1, 1, 0, new int[] {1}, new int[] {1}, null);
    var answer = new Effect.SendAnswered(who, 1, new Note(), refusals);
    meters.note(send, deciding(List.of(enqueued), answer));

    assertThat(read(ORDERS, Count.DUPLICATES)).isZero();
    assertThat(read(ORDERS, Count.USER_ERRORS)).isEqualTo(1);
    assertThat(read(ORDERS, Count.LOCKS_LOST)).isEqualTo(1);
    assertThat(read(ORDERS, Count.NO_ROOM)).isEqualTo(1);
  }

  @Test
  @Rule("S-495")
  void whateverNamesAnEntityCountsThereWhenItIsRefused() {
    var who = new Somebody();
    var remove = new Request.RemoveRule(who, new Note(), ORDERS, "not there");
    meters.note(
        remove, answering(new Effect.Refused(who, 1, new Note(), new Refusal.EntityNotFound())));
    var settle =
        new Request.Settle(
            who, new Note(), ORDERS, Settlement.COMPLETE, new long[] {7}, 1, false, null);
    var refusals = new Refusal[] {new Refusal.MessageLockLost()};
    meters.note(
        new TransactionRequest.Enlist(new Transaction() {}, settle),
        answering(new Effect.Enlisted(who, 1, new Note(), refusals, 0)));

    assertThat(read(ORDERS, Count.USER_ERRORS)).isEqualTo(2);
    assertThat(read(ORDERS, Count.LOCKS_LOST)).isEqualTo(1);
  }

  @Test
  void nothingCameIsNoError() {
    var who = new Somebody();
    var accept = new Request.AcceptSession(who, new Note(), ORDERS, null, ReceiveMode.PEEK_LOCK, 1);
    meters.note(accept, answering(new Effect.Refused(who, 1, new Note(), new Refusal.Timeout())));

    assertThat(read(ORDERS, Count.USER_ERRORS)).isZero();
  }

  @Test
  @Rule({"S-283", "S-493"})
  void whatATopicCopiesInPartsIsIncomingOnceAndNoDuplicate() {
    var backlog = new QueueId(7);
    var request =
        new Request.Send(
            new Somebody(),
            new Note(),
            ORDERS,
            new SendBurst(1, new int[] {10}, new int[1], new long[1]),
            false);
    var stored = new Fact.Enqueued(backlog, 1, 1, 0, new int[] {10}, new int[1], null);
    var answer = new Effect.SendAnswered(request.origin(), 1, new Note(), null, null);

    meters.note(
        request,
        new Decision(List.of(stored), List.of(), List.of(answer), null, List.of(), new long[0]));
    meters.note(stored);
    meters.note(part(backlog, 5, false));
    meters.note(part(backlog, 0, true));

    assertThat(read(ORDERS, Count.INCOMING)).isEqualTo(1);
    assertThat(read(ORDERS, Count.INCOMING_BYTES)).isEqualTo(10);
    assertThat(read(ORDERS, Count.DUPLICATES)).isZero();
    assertThat(read(ORDERS, Count.FORWARDED_HERE)).isZero();
    assertThat(read(MANY, Count.INCOMING)).isEqualTo(2);
  }

  private static Fact part(QueueId backlog, long topicNumber, boolean last) {
    var copies = new Copies[] {new Copies(MANY, 1, null, null, null, null)};
    return new ForwardFact.PartPublished(
        backlog, 1, ORDERS, topicNumber, 0, QueueDefinition.FOREVER, null, copies, 400, last);
  }
}
