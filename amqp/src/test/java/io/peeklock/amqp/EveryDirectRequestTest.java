package io.peeklock.amqp;

import static io.peeklock.amqp.DirectFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same as {@link EveryCallTest} for the requests of HTTP: whoever asks is answered. */
@LongProof
class EveryDirectRequestTest {
  private static final List<Supplier<Throwable>> FAULTS =
      List.of(
          () -> new IllegalStateException("a fault"),
          () -> new OutOfMemoryError("Cannot reserve 262144 bytes of direct buffer memory"));

  /** What gives back or takes over, as in {@link EveryCallTest}. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "direct.DirectEndpoint.submit",
          "direct.DirectEndpoint.execute",
          "direct.DirectEndpoint.handle",
          "direct.LargeSend.submit",
          "direct.LargeSend.inRun",
          "direct.LargeSend.synced",
          "direct.SingleReceive$Beginning.piece",
          "message.PendingBurst.release");

  @Test
  void whatIsLeftOutIsThere() {
    assertThat(CallFaults.missing(LEFT_OUT)).isEmpty();
  }

  @BeforeAll
  static void instrument() {
    CallFaults.install();
  }

  /** What is asked for. */
  enum Wanted {
    SEND {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.messaging.send("work", List.of(text("a"), text("b")));
      }
    },
    SEND_LARGE {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.messaging.send("work", List.of(text("x".repeat(1_200_000))));
      }
    },
    RECEIVE {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.receiving("work", ReceiveMode.PEEK_LOCK, 0);
      }
    },
    DELETE {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.receiving("work", ReceiveMode.RECEIVE_AND_DELETE, 1_000);
      }
    },
    RECEIVE_LARGE {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.receiving("large", ReceiveMode.PEEK_LOCK, 0);
      }
    },
    WAIT {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.receiving("empty", ReceiveMode.PEEK_LOCK, 1_000);
      }
    },
    COMPLETE {
      @Override
      CompletableFuture<?> of(Scene scene) {
        return scene.direct.messaging.settle("held", scene.token, Settlement.COMPLETE);
      }
    };

    abstract CompletableFuture<?> of(Scene scene);
  }

  /** A broker with messages, and a lock that is held. */
  static final class Scene {
    final DirectFixture direct = new DirectFixture();
    final UUID token;

    Scene() {
      for (var name : List.of("work", "large", "empty", "held")) {
        direct.broker.queue(QueueDefinition.named(name).with().maxMessageBytes(4 << 20).build());
      }
      direct.send("work", text("one"));
      direct.send("held", text("one"));
      direct.answered(direct.messaging.send("large", List.of(text("x".repeat(1_200_000)))));
      token = DirectFixture.token(direct.lock("held"));
    }

    /** What is wrong with a request after time has passed; empty when nothing is. */
    String wrong(CompletableFuture<?> request) {
      direct.settle();
      direct.advance(Duration.ofSeconds(2));
      if (direct.broker.ended != null) {
        return "the shard ended: " + direct.broker.ended;
      }
      if (!request.isDone()) {
        return "no answer";
      }
      if (request.isCancelled()) {
        return "cancelled, so nobody is told";
      }
      closeRest(request.join());
      if (!(direct.send("q", text("innocent")) instanceof Answer.Given<Integer>)) {
        return "nobody can send";
      }
      direct.lock("q");
      var leaks = direct.broker.journal.leaks();
      return leaks == 0 ? "" : leaks + " leaks";
    }
  }

  private static void closeRest(@Nullable Object answer) {
    if (answer instanceof Answer.Given<?> given
        && given.value() instanceof Optional<?> received
        && received.isPresent()
        && received.get() instanceof ReceivedMessage message
        && message.rest() != null) {
      message.rest().close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Rule("S-405")
  void aFaultInAnyMethodIsAnsweredAndthatRequestsAlone(Wanted request) {
    var faultless = new Scene();
    CallFaults.count();
    var first = request.of(faultless);
    faultless.direct.settle();
    faultless.direct.advance(Duration.ofSeconds(2));
    var counted = CallFaults.counted();
    assertThat(faultless.wrong(first)).isEmpty();

    var wrong = new ArrayList<String>();
    for (var method : counted.keySet()) {
      if (LEFT_OUT.contains(method.substring("io.peeklock.amqp.".length()))) {
        continue;
      }
      var times = counted.get(method);
      for (var call : times == 1 ? Set.of(1) : Set.of(1, times)) {
        for (var fault : FAULTS) {
          var found = fails(request, method, call, fault);
          if (!found.isEmpty()) {
            wrong.add(method + " call " + call + " of " + times + ": " + found);
          }
        }
      }
    }

    assertThat(counted).hasSizeGreaterThan(20);
    assertThat(wrong).isEmpty();
  }

  private static String fails(Wanted request, String method, int call, Supplier<Throwable> fault) {
    var scene = new Scene();
    CallFaults.arm(method, call, fault);
    try {
      var answer = request.of(scene);
      scene.direct.settle();
      scene.direct.advance(Duration.ofSeconds(2));
      CallFaults.disarm();
      return scene.wrong(answer);
    } catch (RuntimeException | Error thrown) { // told to whoever asked: HTTP answers 500
      CallFaults.disarm();
      return scene.wrong(CompletableFuture.completedFuture(thrown));
    }
  }
}
