package io.peeklock.kernel.forward;

import static io.peeklock.kernel.forward.ForwardFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.forward.ForwardFixture.Content;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dead letters move on to where their queue forwards them. */
class DeadLetterForwardTest {
  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);

  @Test
  @Rule({"S-197", "S-198", "S-146", "S-133"})
  void aDeadLetterArrivesAsAnOrdinaryMessageThatSaysWhereItDied() {
    var failed = forwards.queue("failed");
    var orders = forwards.queue(with("Orders").forwardDeadLettersTo("failed").maxDeliveryCount(1));
    orders.send(2);
    orders.abandon(orders.peekLock());

    var got = failed.peekLock();
    assertThat(got.deadLetterSource()).isEqualTo("orders");
    assertThat(got.cause()).isEqualTo(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
    assertThat(got.deliveryCount()).isZero();
    assertThat(got.enqueuedNumber()).isEqualTo(1);
    assertThat(orders.counts().deadLetters()).isZero();
    assertThat(orders.peekLock().deadLetterSource()).isEmpty();
  }

  @Test
  @Rule("S-197")
  void itsReasonsGoWithIt() {
    var failed = forwards.queue("failed");
    var orders = forwards.queue(with("orders").forwardDeadLettersTo("failed"));
    orders.send(1);
    orders.settleChanging(Settlement.DEAD_LETTER, orders.peekLock(), 50);

    var got = failed.peekLock();
    assertThat(got.overlayId()).isEqualTo(2);
    assertThat(failed.counts().bytes()).isEqualTo(QueueFixture.SIZE + 50);
    assertThat(orders.counts().bytes()).isZero();
    failed.complete(got);
    assertThat(shard.deadBodies).containsExactly(1L, 2L);
  }

  @Test
  @Rule({"S-200", "I-36"})
  void theyWaitForRoomAndThenMove() {
    var failed = forwards.queue(with("failed").maxSizeBytes(2L * QueueFixture.SIZE));
    var orders = forwards.queue(with("orders").forwardDeadLettersTo("failed"));
    orders.send(3);
    for (int i = 0; i < 3; i++) {
      orders.deadLetter(orders.peekLock());
    }
    assertThat(failed.counts().active()).isEqualTo(2);
    assertThat(orders.deadLetters().counts().active()).isEqualTo(1);

    failed.complete(failed.peekLock());
    shard.advance(Duration.ofMillis(999));
    assertThat(orders.deadLetters().counts().active()).as("before it is tried again").isEqualTo(1);
    shard.advance(Duration.ofMillis(1));

    assertThat(orders.deadLetters().counts().active()).isZero();
    assertThat(failed.counts().active()).isEqualTo(2);
  }

  @Test
  @Rule({"S-201", "S-297"})
  void oneThatWentInACircleFourTimesStays() {
    var orders = forwards.queue(with("orders").forwardDeadLettersTo("orders").maxDeliveryCount(1));
    orders.send(1);
    for (int hops = 0; hops < 4; hops++) {
      assertThat(orders.deadLetters().counts().active()).isZero();
      orders.abandon(orders.peekLock());
    }
    orders.abandon(orders.peekLock());

    assertThat(orders.counts().active()).isZero();
    assertThat(orders.deadLetters().counts().active()).isEqualTo(1);
    assertThat(shard.machine.wantsForward()).isFalse();
  }

  @Test
  @Rule("S-201")
  void oneThatStaysHoldsUpNoOther() {
    var failed = forwards.queue("failed");
    var last = forwards.queue(with("e").forwardDeadLettersTo("failed"));
    forwards.queue("d", "e");
    forwards.queue("c", "d");
    forwards.queue("b", "c");
    forwards.queue("a", "b").send(1);
    last.send(1);
    for (int i = 0; i < 2; i++) {
      last.deadLetter(last.peekLock());
    }

    assertThat(failed.peek()).extracting(Received::enqueuedNumber).containsExactly(2L);
    assertThat(last.deadLetters().peek()).hasSize(1);
  }

  @Test
  @Rule("S-201")
  void manyThatStayAreLookedAtASliceAtATime() {
    shard.checkEveryStep = false;
    forwards.queue("failed");
    var last = forwards.queue(with("e").forwardDeadLettersTo("failed"));
    forwards.queue("d", "e");
    forwards.queue("c", "d");
    forwards.queue("b", "c");
    forwards.queue("a", "b").send(1_000);
    shard.grants.clear();
    last.settleAll(Settlement.DEAD_LETTER, last.peekLock(1_000).toArray(Received[]::new));

    assertThat(shard.grants)
        .filteredOn(Grant.ForwardLooked.class::isInstance)
        .extracting(grant -> ((Grant.ForwardLooked) grant).nextSequenceNumber())
        .containsExactly(513L, 1_001L);
  }

  @Test
  @Rule("S-178")
  void theSendersTimeToLiveIsReadWhereTheQueuesMayStandForIt() {
    var failed = forwards.queue("failed");
    var orders =
        forwards.queue(
            with("orders")
                .forwardDeadLettersTo("failed")
                .defaultTimeToLiveMillis(5_000)
                .deadLetteringOnExpiration(true));
    shard.advance(Duration.ofMillis(1)); // what is sent as it is made may be of before
    forwards.next(Content.living(60_000));
    orders.sendLiving(Duration.ofSeconds(60));
    orders.sendLiving(Duration.ofSeconds(3));
    orders.send(1);
    shard.advance(Duration.ofSeconds(5));

    assertThat(failed.peek())
        .extracting(Received::enqueuedNumber, Received::expiresAt)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(1L, shard.nowMillis + 60_000),
            org.assertj.core.groups.Tuple.tuple(2L, shard.nowMillis + 3_000),
            org.assertj.core.groups.Tuple.tuple(3L, QueueDefinition.FOREVER));
    assertThat(shard.read).containsExactlyInAnyOrder(1L, 3L);
  }

  @Test
  @Rule({"S-178", "S-164"})
  void whatTheQueuesTimeToLiveWasBeforeItsUpdateDoesNotGoOn() {
    var failed = forwards.queue("failed");
    var orders = forwards.queue(with("orders").defaultTimeToLiveMillis(5_000));
    orders.send(1);
    shard.advance(Duration.ofSeconds(1));
    forwards.update(with("orders").defaultTimeToLiveMillis(1_000).forwardDeadLettersTo("failed"));
    shard.advance(Duration.ofMillis(1));
    forwards.next(Content.living(900));
    orders.sendLiving(Duration.ofMillis(900));

    orders.deadLetter(orders.peekLock());
    orders.deadLetter(orders.peekLock());

    assertThat(failed.peek())
        .extracting(Received::expiresAt)
        .containsExactly(QueueDefinition.FOREVER, shard.nowMillis + 900);
    assertThat(shard.read).as("as either may have been for later").containsExactly(1L, 2L);
  }

  /** Its default is from when it was scheduled, which nothing tells. */
  @Test
  @Rule({"S-178", "S-164", "S-154"})
  void theTimeToLiveOfWhenAMessageWasScheduledDoesNotGoOn() {
    var failed = forwards.queue("failed");
    var orders = forwards.queue(with("orders").defaultTimeToLiveMillis(60_000));
    shard.advance(Duration.ofMillis(1));
    orders.schedule(shard.nowMillis + 5_000);
    shard.advance(Duration.ofSeconds(1));
    forwards.update(with("orders").defaultTimeToLiveMillis(90_000).forwardDeadLettersTo("failed"));
    shard.advance(Duration.ofSeconds(6));

    orders.deadLetter(orders.peekLock());

    assertThat(failed.peek())
        .extracting(Received::expiresAt)
        .containsExactly(QueueDefinition.FOREVER);
  }

  @Test
  @Rule("S-193")
  void oneWithoutTheSessionThatItNeedsStaysAndHoldsUpNoOther() {
    var failed = forwards.queue(with("failed").requiresSession(true));
    var orders = forwards.queue(with("orders").forwardDeadLettersTo("failed"));
    orders.send(1);
    forwards.next(Content.of("s"));
    orders.send(1);
    orders.deadLetter(orders.peekLock());
    orders.deadLetter(orders.peekLock());

    assertThat(failed.peek()).hasSize(1);
    assertThat(orders.deadLetters().peek()).extracting(Received::number).containsExactly(1L);
  }

  @Test
  @Rule("S-197")
  void oneThatIsLockedMovesOnceItIsFree() {
    var failed = forwards.queue("failed");
    var orders = forwards.queue(with("orders").forwardDeadLettersTo("failed"));
    orders.send(2);
    var first = orders.peekLock();
    orders.deadLetter(orders.peekLock());
    assertThat(failed.peek()).hasSize(1);

    orders.deadLetter(first);

    assertThat(failed.peek()).extracting(Received::enqueuedNumber).containsExactly(2L, 1L);
  }
}
