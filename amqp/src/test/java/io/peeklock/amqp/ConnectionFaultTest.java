package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever throws while one connection is served costs that connection and nothing else. */
class ConnectionFaultTest {
  private static final int MOST_CALLS = 400;

  private final Faults faults = new Faults();
  private final BrokerFixture broker = new BrokerFixture(faults::broker);
  private final TestClient innocent;

  ConnectionFaultTest() {
    broker.queue(QueueDefinition.named("work").with().maxMessageBytes(4 << 20).build());
    broker.journal.handOut(faults::bodies);
    innocent = broker.client().sender(0, 0, "q");
  }

  /** What is thrown. */
  enum Fault {
    BUG,
    NO_MEMORY;

    Throwable made() {
      return this == BUG
          ? new IllegalStateException("a fault")
          : new OutOfMemoryError("Cannot reserve 262144 bytes of direct buffer memory");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SEND", "BATCH", "LARGE_SEND", "TRANSACTION", "SCHEDULE", "RECEIVE", "PEEK"})
  @Rule("S-405")
  void aFaultAtAnyCallIsThatConnectionsAlone(ClientAction action) {
    action.prepare(broker, "work");

    var calls = 0;
    for (var how : Fault.values()) {
      for (var call = 1; fails(action, call, how); call++) {
        calls++;
        assertThat(call).isLessThan(MOST_CALLS);
      }
    }

    assertThat(calls).isGreaterThan(4);
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-098", "S-514"})
  void aFaultInWritingAMessageLeavesItToOthersOnceItsLockHasLapsed(Fault how) {
    var call = 1;
    boolean fired;
    do {
      var sender = broker.client().sender(0, 0, "work").message(0, text("kept"));
      sender.leave();
      var guilty = broker.clientBeside(innocent, faults.memory());
      faults.arm(call++, how::made);
      try {
        ClientAction.RECEIVE.of(guilty, () -> guilty.channel.isOpen());
      } catch (Exception | AssertionError gone) {
        assertThat(faults.isArmed()).isFalse();
      }
      fired = faults.disarm();
      guilty.leave();
      broker.advance(Duration.ofSeconds(61));

      var other = broker.client().receiver(0, 1, "work", 0).credit(1, 1);
      assertThat(other.take(TRANSFER)).as("after a fault of call %d", call - 1).hasSize(1);
      other.dispose(0, 0, true, TestClient.accepted());
      other.leave();
      broker.settle();
    } while (fired);
    assertThat(call).isGreaterThan(4);
  }

  @Test
  void whatAnotherHasGatheredOnTheLoopIsNotLost() {
    var guilty = broker.clientBeside(innocent, faults.memory()).sender(0, 0, "work");
    innocent.forget().gathers(innocent.transfer(0, 0, 0, false, text("kept")));
    faults.arm(5, Fault.BUG::made); // the fourth call and the fifth are its own: begin, reserve

    guilty.message(0, text("lost"));
    innocent.channel.flushInbound();
    broker.settle();

    assertThat(faults.disarm()).isTrue();
    assertThat(guilty.channel.isOpen()).isFalse();
    assertThat(code(innocent.one(DISPOSITION).field(4))).isEqualTo(0x24);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void aFaultInHandingOverIsThatOfWhoHasGathered() {
    var guilty = broker.clientBeside(innocent, faults.memory()).sender(0, 0, "work");
    guilty.gathers(guilty.transfer(0, 0, 0, false, text("lost")));
    faults.arm(1, Fault.NO_MEMORY::made);

    innocent.forget().message(0, text("kept"));

    assertThat(faults.disarm()).isTrue();
    assertThat(guilty.channel.isOpen()).isFalse();
    assertThat(code(innocent.one(DISPOSITION).field(4))).isEqualTo(0x24);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void theEdgeTellsWhetherBodiesCanBeLaidDown() {
    assertThat(broker.edge.prove()).isNotDone();
    innocent.runTasks();
    var unfit = broker.edge.prove();
    faults.arm(2, Fault.NO_MEMORY::made);
    innocent.runTasks();

    assertThat(unfit).isCompletedExceptionally();
    assertThat(faults.disarm()).isTrue();
    var fit = broker.edge.prove();
    innocent.runTasks();
    assertThat(fit).isCompletedWithValue(null);
    assertThat(broker.journal.leaks()).isZero();
    innocent.forget().message(0, text("kept"));
    assertThat(code(innocent.one(DISPOSITION).field(4))).isEqualTo(0x24);
  }

  private static byte[] text(String body) {
    return TestMessage.text(body);
  }

  /** Whether so many calls were made that one failed. */
  private boolean fails(ClientAction action, int call, Fault how) {
    var guilty = broker.clientBeside(innocent, faults.memory());
    innocent.forget();
    faults.arm(call, how::made);
    try {
      action.of(guilty, () -> guilty.channel.isOpen());
    } catch (Exception | AssertionError gone) { // it hears nothing more, or cannot even speak
      if (faults.isArmed()) {
        throw new AssertionError("it failed without a fault", gone);
      }
    }
    var fired = faults.disarm();
    guilty.leave();
    broker.settle();

    assertThat(broker.ended).isNull();
    assertThat(innocent.take(CLOSE)).isEmpty();
    assertThat(broker.journal.leaks()).as("pins and runs after call %d", call).isZero();
    innocent.forget().message(0, TestMessage.text("innocent"));
    assertThat(code(innocent.one(DISPOSITION).field(4))).isEqualTo(0x24);
    return fired;
  }
}
