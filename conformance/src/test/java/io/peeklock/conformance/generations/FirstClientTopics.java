package io.peeklock.conformance.generations;

import static io.peeklock.conformance.generations.FirstClient.message;
import static io.peeklock.conformance.generations.FirstClient.next;
import static io.peeklock.conformance.generations.FirstClient.receiver;
import static io.peeklock.conformance.generations.FirstClient.sender;
import static io.peeklock.conformance.generations.FirstClient.text;
import static io.peeklock.conformance.generations.FirstClient.to;
import static io.peeklock.conformance.generations.Stories.equal;
import static io.peeklock.conformance.generations.Stories.isSo;

import com.microsoft.azure.servicebus.ExceptionPhase;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageHandler;
import com.microsoft.azure.servicebus.MessageHandlerOptions;
import com.microsoft.azure.servicebus.QueueClient;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.SubscriptionClient;
import com.microsoft.azure.servicebus.rules.CorrelationFilter;
import com.microsoft.azure.servicebus.rules.RuleDescription;
import com.microsoft.azure.servicebus.rules.SqlFilter;
import com.microsoft.azure.servicebus.rules.SqlRuleAction;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Topics, rules and handlers of the first client. */
final class FirstClientTopics {
  private static final String SUBSCRIPTION = "topic/subscriptions/all";

  private FirstClientTopics() {}

  static void rules() throws Exception {
    var client = new SubscriptionClient(to(SUBSCRIPTION), ReceiveMode.PEEKLOCK);
    equal(Set.of(SubscriptionClient.DEFAULT_RULE_NAME), names(client));
    var red = new CorrelationFilter();
    red.setLabel("red");
    client.addRule(new RuleDescription("red", red));
    var large = new RuleDescription("large", new SqlFilter("size > 10"));
    large.setAction(new SqlRuleAction("SET seen = 1"));
    client.addRule(large);
    client.removeRule(SubscriptionClient.DEFAULT_RULE_NAME);
    equal(Set.of("red", "large"), names(client));
    var topic = sender("topic");
    topic.send(message("neither"));
    var labelled = message("red");
    labelled.setLabel("red");
    topic.send(labelled);
    var sized = message("large");
    sized.getProperties().put("size", 11);
    topic.send(sized);
    var subscription = receiver(SUBSCRIPTION);
    equal("red", text(next(subscription)));
    var seen = next(subscription);
    equal("large", text(seen));
    equal(1L, seen.getProperties().get("seen"));
    isSo("no other", subscription.receive(Duration.ofSeconds(1)) == null);
    client.close();
  }

  private static Set<String> names(SubscriptionClient client) throws Exception {
    return client.getRules().stream().map(RuleDescription::getName).collect(Collectors.toSet());
  }

  static void handler() throws Exception {
    var sender = sender("handled");
    var all = new CountDownLatch(5);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    for (var i = 0; i < 5; i++) {
      sender.send(message("m" + i));
    }
    var client = new QueueClient(to("handled"), ReceiveMode.PEEKLOCK);
    try (var threads = Executors.newCachedThreadPool()) {
      client.registerMessageHandler(
          new Handler(seen, all),
          new MessageHandlerOptions(2, true, Duration.ofMinutes(1)),
          threads);
      isSo("all are handled: " + seen, all.await(60, TimeUnit.SECONDS));
      client.close();
    }
    equal(5, seen.size());
  }

  private record Handler(Set<String> seen, CountDownLatch all) implements IMessageHandler {
    @Override
    public CompletableFuture<Void> onMessageAsync(IMessage message) {
      if (seen.add(text(message))) {
        all.countDown();
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void notifyException(Throwable exception, ExceptionPhase phase) {
      System.out.println(phase + ": " + exception);
    }
  }
}
