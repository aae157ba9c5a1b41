package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.message.BatchEnvelope;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** What the client does whose connection fails; its work is on the queue {@code work}. */
enum ClientAction {
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
        client.send(client.transfer(0, 0, BatchEnvelope.FORMAT, false, Coordinator.batch(5)));
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
  SEND_IN_FRAMES {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      client.sender(0, 0, "work");
      client.inFrames(0, TestMessage.text("x".repeat(200_000)), 60_000);
    }
  },
  SEND_BEHIND_A_LARGE_ONE {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      client.sender(0, 0, "work");
      for (var at = 0; at < LARGE.length && alive.get(); at += FRAME) {
        var end = Math.min(LARGE.length, at + FRAME);
        var frame = frame(0, Arrays.copyOfRange(LARGE, at, end), end < LARGE.length);
        if (end
            == LARGE.length) { // in one read with what follows, which is held until it is synced
          frame.writeBytes(frame(1, TestMessage.text("behind"), false));
        }
        client.send(frame);
      }
    }
  },
  REQUEST_IN_FRAMES {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      var message = Map.of("message", TestMessage.text("x".repeat(100_000)));
      node(client).inFrames("schedule-message", Map.of("messages", List.of(message)), 60_000);
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
  PEEK_LARGE {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      node(client).manage("peek-message", Map.of("from-sequence-number", 3L, "message-count", 9));
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
  },
  SETTLE {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      client.receiver(0, 1, "work", 0).credit(1, 3);
      client.dispose(0, 0, false, TestClient.modified(false, Map.of("why", "not yet")));
      client.dispose(1, 1, true, TestClient.accepted());
      client.dispose(2, 2, false, TestClient.released());
    }
  },
  RENEW {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      client.receiver(0, 11, "work", 0).credit(11, 1);
      var tokens = TypedArray.ofUuids(List.of(new UUID(0, 1)));
      node(client).manage("renew-lock", Map.of("lock-tokens", tokens));
    }
  },
  TRANSACTED_SETTLE {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      var coordinator = Coordinator.of(client);
      client.receiver(0, 1, "work", 0).credit(1, 2).forget();
      var id = coordinator.declare();
      coordinator.settle(id, 0, 0, TestClient.accepted());
      coordinator.rollBack(id);
      var next = coordinator.declare();
      coordinator.settle(next, 1, 1, TestClient.accepted());
      coordinator.commit(next);
    }
  },
  SESSION {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      client.sender(0, 0, "talks").message(0, TestMessage.inSession("red"));
      var filter = Map.of(new Symbol("com.microsoft:session-filter"), "red");
      client.perform(
          0,
          TestClient.ATTACH,
          "session",
          TestClient.uint(1),
          true,
          TestClient.ubyte(0),
          TestClient.ubyte(0),
          TestClient.source("talks", filter),
          TestClient.target("t"));
      client.credit(1, 1);
      var node = node(client, "talks");
      node.manage(
          "set-session-state", Map.of("session-id", "red", "session-state", new byte[] {1, 2, 3}));
      node.manage("get-session-state", Map.of("session-id", "red"));
    }
  },
  RULE {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      var node = node(client, "news/Subscriptions/all");
      var filter = Map.of("sql-filter", Map.of("expression", "a LIKE 'b%'"));
      node.manage("add-rule", Map.of("rule-name", "more", "rule-description", filter));
      node.manage("enumerate-rules", Map.of("skip", 0, "top", 10));
      client.sender(0, 0, "news").message(0, TestMessage.text("new"));
    }
  },
  TOKEN {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      new RequestClient(client, 0, "$cbs", "me").putToken("sb://localhost/work", "no token");
    }
  },
  LEAVE {
    @Override
    void of(TestClient client, Supplier<Boolean> alive) {
      client.sender(0, 0, "work").receiver(0, 1, "work", 0).credit(1, 5);
      client.perform(0, TestClient.DETACH, TestClient.uint(1), true);
      client.perform(0, 0x17);
      client.perform(0, TestClient.CLOSE);
    }
  };

  private static final byte[] LARGE = TestMessage.text("x".repeat(1_200_000));

  private static final int FRAME = 60_000;

  private static ByteBuf frame(int id, byte[] payload, boolean more) {
    return TestClient.frameBytes(
        0,
        0,
        TestClient.TRANSFER,
        Arrays.asList(
            TestClient.uint(0),
            TestClient.uint(id),
            TestClient.tag(id),
            TestClient.uint(0),
            false,
            more),
        payload);
  }

  abstract void of(TestClient client, Supplier<Boolean> alive);

  private static RequestClient node(TestClient client) {
    return node(client, "work");
  }

  private static RequestClient node(TestClient client, String entity) {
    return new RequestClient(client, 0, entity + "/$management", "me");
  }

  /** Has messages wait for those who take them. */
  void prepare(BrokerFixture broker, String queue) {
    var filler = broker.client().sender(0, 0, queue);
    if (takes()) {
      filler.message(0, TestMessage.text("one")).message(0, TestMessage.text("two"));
      filler.inFrames(0, LARGE, 60_000);
    }
    if (this == RECEIVE_DEFERRED) {
      filler.receiver(0, 1, queue, 0).credit(1, 2);
      filler.dispose(0, 1, true, TestClient.modified(true, Map.of()));
    }
    filler.leave();
    broker.settle();
  }

  private boolean takes() {
    return switch (this) {
      case RECEIVE, PEEK, PEEK_LARGE, RECEIVE_DEFERRED, SETTLE, RENEW, TRANSACTED_SETTLE -> true;
      default -> false;
    };
  }
}
