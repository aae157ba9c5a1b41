package io.peeklock.amqp;

import io.netty.channel.embedded.EmbeddedChannel;
import io.peeklock.amqp.direct.DirectMessaging;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A broker and direct messaging, whose requests live on an event loop of its own. */
final class DirectFixture {
  final BrokerFixture broker;
  final EmbeddedChannel loop = new EmbeddedChannel();
  final DirectMessaging messaging;

  DirectFixture() {
    this(new BrokerFixture());
  }

  DirectFixture(BrokerFixture broker) {
    this.broker = broker;
    loop.freezeTime();
    messaging = new DirectMessaging(broker.edge, loop.eventLoop());
  }

  static OutgoingMessage text(String body) {
    return OutgoingMessage.of(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
  }

  static OutgoingMessage text(String body, TextProperty property, String value) {
    return new OutgoingMessage(
        Map.of(property, value), QueueDefinition.FOREVER, 0, Map.of(), text(body).body());
  }

  void settle() {
    for (var round = 0; round < 4; round++) {
      broker.settle();
      loop.runPendingTasks();
    }
  }

  /** Lets time pass for the shard and for those who wait. */
  void advance(Duration time) {
    broker.advance(time);
    loop.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    loop.runScheduledPendingTasks();
    settle();
  }

  Answer<Integer> send(String address, OutgoingMessage... messages) {
    return answered(messaging.send(address, List.of(messages)));
  }

  CompletableFuture<Answer<Optional<ReceivedMessage>>> receiving(
      String address, ReceiveMode mode, long waitMillis) {
    var receiving = messaging.receive(new ReceiveOrder(address, mode, waitMillis));
    settle();
    return receiving;
  }

  /** The message that is there, locked. */
  ReceivedMessage lock(String address) {
    return given(receiving(address, ReceiveMode.PEEK_LOCK, 0)).orElseThrow();
  }

  /** Whether nothing can be received now. */
  boolean isEmpty(String address) {
    return given(receiving(address, ReceiveMode.PEEK_LOCK, 0)).isEmpty();
  }

  <T> Answer<T> answered(CompletableFuture<Answer<T>> asked) {
    settle();
    if (!asked.isDone()) {
      throw new AssertionError("there is no answer yet");
    }
    return asked.join();
  }

  <T> T given(CompletableFuture<Answer<T>> asked) {
    if (answered(asked) instanceof Answer.Given<T> given) {
      return given.value();
    }
    throw new AssertionError("not granted: " + asked.join());
  }

  static Refusal refusal(Answer<?> answer) {
    if (answer instanceof Answer.Refused<?> refused) {
      return refused.refusal();
    }
    throw new AssertionError("not refused: " + answer);
  }

  static Answer.Misfit misfit(Answer<?> answer) {
    if (answer instanceof Answer.Unfit<?> unfit) {
      return unfit.misfit();
    }
    throw new AssertionError("not unfit: " + answer);
  }

  /** The token of a lock; fails without one. */
  static UUID token(ReceivedMessage message) {
    return TestClient.there(message.lock()).token();
  }

  static String body(ReceivedMessage message) {
    return new String(message.body(), StandardCharsets.UTF_8);
  }
}
