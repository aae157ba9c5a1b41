package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What was accepted can be handed out in every way: else one message of one sender would stop its
 * queue for everybody. {@code -Dmessages.seed=…} for others than always.
 */
class EveryAcceptedMessageTest {
  private static final int MESSAGES = 1_500;
  private static final int OF_A_CLIENT = 300;

  private final DirectFixture direct =
      new DirectFixture(
          new BrokerFixture()
              .queue(
                  QueueDefinition.named("expiring")
                      .with()
                      .defaultTimeToLiveMillis(3_600_000)
                      .build()));
  private final BrokerFixture broker = direct.broker;
  private final TestClient sender = broker.client().sender(0, 0, "q").sender(0, 1, "expiring");
  private TestClient receiver = broker.client();
  private int accepted;

  @Test
  @Rule({"S-084", "S-514"})
  void isHandedOutInEveryWay() {
    var any = new AnyMessage(new Random(Long.getLong("messages.seed", 20261124)));
    for (var i = 0; i < MESSAGES; i++) {
      if (i % OF_A_CLIENT == 0) {
        receiver.leave();
        receiver = broker.client().receiver(0, 0, "expiring", 0).credit(0, MESSAGES);
      }
      var message = any.bytes();
      if (isAccepted(0, message)) {
        accepted++;
        assertThat(direct.lock("q").lock()).as(shown(message)).isNotNull();
        assertThat(isAccepted(1, message)).isTrue();
        isReceivedTwiceAndDeadLettered(shown(message));
      }
    }
    assertThat(accepted).isBetween(MESSAGES / 2, MESSAGES - 1);
    assertThat(broker.journal.leaks()).isZero();
  }

  private boolean isAccepted(int handle, byte[] message) {
    sender.forget().message(handle, message);
    return TestClient.code(sender.one(DISPOSITION).field(4)) == 0x24;
  }

  /** With the expiry written into it, with changes, with a reason; on links and directly. */
  private void isReceivedTwiceAndDeadLettered(String shown) {
    var first = received(shown);
    receiver.dispose(first, first, true, TestClient.modified(false, Map.of(new Symbol("k"), 1)));
    var second = received(shown);
    assertThat(second).as(shown).isEqualTo(first + 1);
    receiver.dispose(second, second, true, TestClient.deadLetter(Map.of()));
    var deadLettered = direct.lock("expiring/$deadletterqueue");
    assertThat(deadLettered.applicationProperties()).as(shown).containsKey("k");
  }

  private long received(String shown) {
    var frames = receiver.take(TRANSFER);
    assertThat(frames).as(shown).hasSize(1);
    return frames.getFirst().number(1);
  }

  private static String shown(byte[] message) {
    return HexFormat.of().formatHex(message);
  }
}
