package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.message.Answer;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A piece of a large message that cannot be had: only damage stops the queue. */
class LargeReadFaultTest {
  private static final int BIG = 3 << 19;

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient beside = broker.client().receiver(0, 0, "q", 0).forget();

  @BeforeEach
  void aLargeMessageWaits() {
    var message = new TestMessage().properties("big").section(TestMessage.DATA, new byte[BIG]);
    broker.client().sender(0, 0, "q").inFrames(0, message.bytes(), 60_000);
  }

  private static IOException shortOfMemory() {
    return new ReadFault("a large body", new OutOfMemoryError("Direct buffer memory"));
  }

  /** All of it, with no failed attempt counted. */
  private void assertThatOthersGetIt() {
    assertThat(beside.take(DETACH)).isEmpty();
    beside.credit(0, 1);
    var frames = beside.take(TRANSFER);
    assertThat(frames.stream().mapToInt(frame -> frame.payload().length).sum()).isGreaterThan(BIG);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("I-45")
  void shortMemoryCostsTheReceiverItsConnection() {
    var unlucky = broker.client();
    broker.journal.failPiece(shortOfMemory());

    unlucky.receiver(0, 0, "q", 0).credit(0, 1);

    assertThat(unlucky.channel.isActive()).isFalse();
    assertThatOthersGetIt();
  }

  @Test
  @Rule("I-45")
  void shortMemoryCostsWhoAsksOverHttpOneAnswer() {
    var direct = new DirectFixture(broker);
    broker.journal.failPiece(shortOfMemory());

    var received = direct.answered(direct.receiving("q", ReceiveMode.PEEK_LOCK, 0));

    assertThat(DirectFixture.misfit(received)).isEqualTo(Answer.Misfit.BUSY);
    assertThatOthersGetIt();
  }

  @Test
  @Rule({"I-11", "I-18"})
  void damageStopsTheQueue() {
    broker.journal.failPiece(new IOException("a piece fails its checksum"));

    broker.client().receiver(0, 0, "q", 0).credit(0, 1);

    assertThat(beside.take(DETACH)).hasSize(1);
  }
}
