package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever throws while one connection is served costs that connection and nothing else. */
class ConnectionFaultTest {
  private static final int MOST_CALLS = 400;
  private static final byte[] LARGE = TestMessage.text("x".repeat(1_200_000));

  private final Faults faults = new Faults();
  private final BrokerFixture broker = new BrokerFixture(faults::broker);
  private final TestClient innocent;

  ConnectionFaultTest() {
    broker.queue(QueueDefinition.named("work").with().maxMessageBytes(4 << 20).done());
    broker.journal.handOut(faults::bodies);
    innocent = broker.client().sender(0, 0, "q");
  }

  /** What is thrown. */
  private enum Fault {
    BUG,
    NO_MEMORY;

    Throwable made() {
      return this == BUG
          ? new IllegalStateException("a fault")
          : new OutOfMemoryError("Cannot reserve 262144 bytes of direct buffer memory");
    }
  }

  /** What the client does whose connection fails. */
  enum Deed {
    SEND {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        client.sender(0, 0, "work");
        for (var i = 0; i < 3 && alive.get(); i++) {
          client.message(0, TestMessage.text("m" + i));
        }
      }
    },
    BATCH {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        client.sender(0, 0, "work");
        if (alive.get()) {
          client.send(client.transfer(0, 0, Batch.FORMAT, false, Coordinator.batch(5)));
        }
      }
    },
    LARGE_SEND {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        client.sender(0, 0, "work");
        client.inFrames(0, LARGE, 60_000);
      }
    },
    TRANSACTION {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        var coordinator = Coordinator.of(client);
        client.sender(0, 0, "work");
        var id = coordinator.declare();
        coordinator.send(id, 0, TestMessage.text("one"));
        coordinator.send(id, 0, TestMessage.text("two"));
        coordinator.commit(id);
      }
    },
    SCHEDULE {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        var message = Map.of("message", TestMessage.text("later"));
        node(client).manage("schedule-message", Map.of("messages", List.of(message, message)));
      }
    },
    RECEIVE {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        client.receiver(0, 1, "work", 0);
        client.credit(1, 20);
      }
    },
    PEEK {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        node(client).manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 9));
      }
    },
    RECEIVE_DEFERRED {
      @Override
      void of(TestClient client, Supplier<Boolean> alive) {
        node(client)
            .manage(
                "receive-by-sequence-number",
                Map.of(
                    "sequence-numbers",
                    TypedArray.ofLongs(new long[] {1, 2}),
                    "receiver-settle-mode",
                    TestClient.uint(1)));
      }
    };

    abstract void of(TestClient client, Supplier<Boolean> alive);

    private static RequestClient node(TestClient client) {
      return new RequestClient(client, 0, "work/$management", "me");
    }
  }

  private void someWait(Deed deed) {
    var filler = broker.client().sender(0, 0, "work");
    if (deed == Deed.RECEIVE || deed == Deed.PEEK || deed == Deed.RECEIVE_DEFERRED) {
      filler.message(0, TestMessage.text("one")).message(0, TestMessage.text("two"));
      filler.inFrames(0, LARGE, 60_000);
    }
    if (deed == Deed.RECEIVE_DEFERRED) {
      filler.receiver(0, 1, "work", 0).credit(1, 2);
      filler.dispose(0, 1, true, TestClient.modified(true, Map.of()));
    }
    filler.leave();
    broker.settle();
  }

  @ParameterizedTest
  @EnumSource
  @Rule("S-405")
  void aFaultAtAnyCallIsThatConnectionsAlone(Deed deed) {
    someWait(deed);

    var calls = 0;
    for (var how : Fault.values()) {
      if (deed == Deed.RECEIVE && how == Fault.BUG) {
        continue; // that a message cannot be written is its own fault, and stops its queue
      }
      for (var call = 1; fails(deed, call, how); call++) {
        calls++;
        assertThat(call).isLessThan(MOST_CALLS);
      }
    }

    assertThat(calls).isGreaterThan(4);
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

  private static byte[] text(String body) {
    return TestMessage.text(body);
  }

  /** Whether so many calls were made that one failed. */
  private boolean fails(Deed deed, int call, Fault how) {
    var guilty = broker.clientBeside(innocent, faults.memory());
    innocent.forget();
    faults.arm(call, how::made);
    try {
      deed.of(guilty, () -> guilty.channel.isOpen());
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
