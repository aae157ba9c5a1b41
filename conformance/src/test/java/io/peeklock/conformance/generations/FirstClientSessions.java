package io.peeklock.conformance.generations;

import static io.peeklock.conformance.generations.FirstClient.message;
import static io.peeklock.conformance.generations.FirstClient.next;
import static io.peeklock.conformance.generations.FirstClient.sender;
import static io.peeklock.conformance.generations.FirstClient.text;
import static io.peeklock.conformance.generations.FirstClient.to;
import static io.peeklock.conformance.generations.Stories.equal;
import static io.peeklock.conformance.generations.Stories.isSo;
import static io.peeklock.conformance.generations.Stories.refused;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.ExceptionPhase;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageSession;
import com.microsoft.azure.servicebus.ISessionHandler;
import com.microsoft.azure.servicebus.QueueClient;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.SessionHandlerOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sessions of the first client. */
final class FirstClientSessions {
  private FirstClientSessions() {}

  private static IMessage of(String session, String text) {
    var message = message(text);
    message.setSessionId(session);
    return message;
  }

  private static IMessageSession accept(String queue, @Nullable String session) throws Exception {
    return ClientFactory.acceptSessionFromConnectionStringBuilder(
        to(queue), session, ReceiveMode.PEEKLOCK);
  }

  static void session() throws Exception {
    var sender = sender("sessions");
    sender.send(of("red", "r1"));
    sender.send(of("blue", "b1"));
    var blue = accept("sessions", "blue");
    isSo("a new session has no state", blue.getState() == null);
    blue.setState("one".getBytes(StandardCharsets.UTF_8));
    equal("one", new String(blue.getState(), StandardCharsets.UTF_8));
    var until = blue.getLockedUntilUtc();
    do {
      blue.renewSessionLock(); // once more when it was within the same millisecond
    } while (!blue.getLockedUntilUtc().isAfter(until));
    equal("b1", text(blue.peek()));
    var message = next(blue);
    equal("b1", text(message));
    blue.complete(message.getLockToken());
    blue.close();
    equal("one", new String(accept("sessions", "blue").getState(), StandardCharsets.UTF_8));
  }

  static void anySession() throws Exception {
    sender("any").send(of("green", "g1"));
    var green = accept("any", null);
    equal("green", green.getSessionId());
    refused("SessionCannotBeLockedException", () -> accept("any", "green"));
    green.complete(next(green).getLockToken());
    green.close();
  }

  static void handler() throws Exception {
    var sender = sender("handled-sessions");
    var all = new CountDownLatch(4);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    for (var session : new String[] {"a", "b"}) {
      sender.send(of(session, session + "1"));
      sender.send(of(session, session + "2"));
    }
    var client = new QueueClient(to("handled-sessions"), ReceiveMode.PEEKLOCK);
    try (var threads = Executors.newCachedThreadPool()) {
      client.registerSessionHandler(
          new Handler(seen, all),
          new SessionHandlerOptions(2, 1, true, Duration.ofMinutes(1)),
          threads);
      isSo("all are handled: " + seen, all.await(60, TimeUnit.SECONDS));
      client.close();
    }
    equal(Set.of("a1", "a2", "b1", "b2"), seen);
  }

  private record Handler(Set<String> seen, CountDownLatch all) implements ISessionHandler {
    @Override
    public CompletableFuture<Void> onMessageAsync(IMessageSession session, IMessage message) {
      if (seen.add(text(message))) {
        all.countDown();
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> OnCloseSessionAsync(IMessageSession session) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void notifyException(Throwable exception, ExceptionPhase phase) {
      System.out.println(phase + ": " + exception);
    }
  }
}
