package io.peeklock.amqp;

import io.netty.buffer.ByteBufAllocator;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.message.StoredMessages;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.CataloguePolicies;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.access.Secret;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.testkit.SimClock;
import io.peeklock.testkit.SimExecutor;
import io.peeklock.testkit.SimJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A real shard on a journal in memory, with the AMQP edge in front, all on the test's thread. */
final class BrokerFixture {
  static final String KEY = "SAS_KEY_VALUE";
  static final String LISTEN_KEY = "listen-key";
  static final String SEND_KEY = "send-key";

  final SimClock clock = new SimClock();
  final SimExecutor shardExecutor = new SimExecutor(clock);
  final SimJournal journal = new SimJournal(shardExecutor);
  final Shard shard;
  final AccessControl access;
  final AmqpEdge edge;
  final List<TestClient> clients = new ArrayList<>();
  @Nullable Throwable ended;

  BrokerFixture() {
    this(AmqpSettings.Limits.DEFAULT);
  }

  BrokerFixture(AmqpSettings.Limits limits) {
    this(limits, 8 << 20);
  }

  BrokerFixture(AmqpSettings.Limits limits, long mailboxBytes) {
    this(limits, mailboxBytes, false);
  }

  /** With another memory than the process's. */
  BrokerFixture(AmqpBudgets budgets) {
    this(
        AmqpSettings.Limits.DEFAULT,
        8 << 20,
        false,
        AmqpSettings.Quotas.NONE,
        budgets,
        UnaryOperator.identity());
  }

  /** With other limits, and another memory than the process's. */
  BrokerFixture(AmqpSettings.Limits limits, AmqpBudgets budgets) {
    this(limits, 64 << 20, false, AmqpSettings.Quotas.NONE, budgets, UnaryOperator.identity());
  }

  /** With transactions as in the vendor's tiers. */
  BrokerFixture(boolean oneEntityPerTransaction) {
    this(AmqpSettings.Limits.DEFAULT, 8 << 20, oneEntityPerTransaction);
  }

  /** With what a namespace may have and do. */
  BrokerFixture(AmqpSettings.Quotas quotas) {
    this(AmqpSettings.Limits.DEFAULT, 8 << 20, false, quotas);
  }

  private BrokerFixture(
      AmqpSettings.Limits limits, long mailboxBytes, boolean oneEntityPerTransaction) {
    this(limits, mailboxBytes, oneEntityPerTransaction, AmqpSettings.Quotas.NONE);
  }

  /** With something between the edge and the shard. */
  BrokerFixture(UnaryOperator<Broker> between) {
    this(
        AmqpSettings.Limits.DEFAULT,
        8 << 20,
        false,
        AmqpSettings.Quotas.NONE,
        AmqpBudgets.ofProcess(),
        between);
  }

  private BrokerFixture(
      AmqpSettings.Limits limits,
      long mailboxBytes,
      boolean oneEntityPerTransaction,
      AmqpSettings.Quotas quotas) {
    this(
        limits,
        mailboxBytes,
        oneEntityPerTransaction,
        quotas,
        AmqpBudgets.ofProcess(),
        UnaryOperator.identity());
  }

  private BrokerFixture(
      AmqpSettings.Limits limits,
      long mailboxBytes,
      boolean oneEntityPerTransaction,
      AmqpSettings.Quotas quotas,
      AmqpBudgets budgets,
      UnaryOperator<Broker> between) {
    shard =
        new Shard(
            journal, shardExecutor, clock, new StoredMessages(), new Listener(), mailboxBytes);
    try {
      shard.start();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    access =
        new AccessControl(
            List.of(
                Policy.root(Secret.of(KEY)),
                policy("listener", LISTEN_KEY, Right.LISTEN),
                policy("sender", SEND_KEY, Right.SEND)),
            new CataloguePolicies(shard::catalogue));
    var settings =
        AmqpSettings.defaults("localhost", "test-node", clock)
            .withLimits(limits)
            .withQuotas(quotas)
            .withOneEntityPerTransaction(oneEntityPerTransaction);
    edge = new AmqpEdge(between.apply(shard), access, settings, budgets);
    queue(QueueDefinition.named("q"));
  }

  private static Policy policy(String name, String key, Right right) {
    return new Policy(name, "", Secret.of(key), Secret.of(key + "-2"), Set.of(right));
  }

  private final class Listener implements ShardListener {
    @Override
    public void leadershipLost() {
      edge.closeAll(Conditions.CONNECTION_FORCED, "The broker lost its leadership");
    }

    @Override
    public void idleDeleted(String path) {}

    @Override
    public void ended(Throwable cause) {
      ended = cause;
    }
  }

  /** Somebody who hears nothing. */
  private static final class Operator extends Endpoint {
    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {
      if (bodies != null) {
        bodies.release();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void resume() {}

    @Override
    public void unreadable(String reason) {}

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  private record Asked() implements Ticket {}

  /** The ticket of those who hear nothing. */
  static final Ticket ASKED = new Asked();

  /** Has a request decided whose answer nobody hears. */
  void ask(Function<Endpoint, Request> request) {
    shard.submit(Submission.of(request.apply(new Operator())));
    shardExecutor.settle();
  }

  BrokerFixture queue(QueueDefinition definition) {
    shard.submit(Submission.of(new Request.CreateQueue(new Operator(), new Asked(), definition)));
    shardExecutor.settle();
    return this;
  }

  /** Gives an entity other properties. */
  BrokerFixture update(QueueDefinition definition) {
    return ask(new EntityRequest.UpdateQueue(new Operator(), new Asked(), definition));
  }

  /** Deletes an entity. */
  BrokerFixture delete(String path) {
    return ask(new EntityRequest.DeleteQueue(new Operator(), new Asked(), path));
  }

  private BrokerFixture ask(Request request) {
    shard.submit(Submission.of(request));
    settle();
    return this;
  }

  /** A queue with short locks and a small delivery limit. */
  BrokerFixture queue(String path, long lockMillis, int maxDeliveries, long maxBytes) {
    return queue(
        new QueueDefinition(
            path,
            lockMillis,
            maxDeliveries,
            QueueDefinition.FOREVER,
            true,
            maxBytes,
            QueueDefinition.FOREVER));
  }

  /** A client that has done SASL ANONYMOUS and open, and begun session 0. */
  TestClient anonymous() {
    return newClient().connect("ANONYMOUS", new byte[0]).open().begin(0);
  }

  /** A client with all rights by its password. */
  TestClient client() {
    return newClient().connect("PLAIN", plain(Policy.ROOT_NAME, KEY)).open().begin(0);
  }

  /** One that takes frames of this size at most. */
  TestClient client(int frameBytes) {
    return newClient()
        .connect("PLAIN", plain(Policy.ROOT_NAME, KEY))
        .open("localhost", frameBytes)
        .begin(0);
  }

  /** A client with one right by its password. */
  TestClient client(String policy, String key) {
    return newClient().connect("PLAIN", plain(policy, key)).open().begin(0);
  }

  /** A client with all rights on the event loop of another one, with memory of its own. */
  TestClient clientBeside(TestClient other, ByteBufAllocator memory) {
    var client = new TestClient(this, other, memory);
    clients.add(client);
    return client.connect("PLAIN", plain(Policy.ROOT_NAME, KEY)).open().begin(0);
  }

  /** A client with all rights whose socket takes what it is told to. */
  TestClient client(SlowChannel channel) {
    var client = new TestClient(this, channel);
    clients.add(client);
    return client.connect("PLAIN", plain(Policy.ROOT_NAME, KEY)).open().begin(0);
  }

  /** Only so much may be under way to all receivers; before there are clients. */
  BrokerFixture deliveryBytes(long most) {
    shard.limit(NamespaceLimits.NONE, most, Long.MAX_VALUE);
    try {
      shard.start();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    shardExecutor.settle();
    return this;
  }

  /** Bytes that are under way to all receivers. */
  long underWay() {
    return shard.budgets().stream()
        .filter(use -> use.name().equals("deliveries"))
        .mapToLong(BudgetUse::taken)
        .sum();
  }

  TestClient newClient() {
    var client = new TestClient(this);
    clients.add(client);
    return client;
  }

  static byte[] plain(String name, String key) {
    return ("\0" + name + "\0" + key).getBytes(StandardCharsets.UTF_8);
  }

  /** Lets everything happen that is due, without time passing. */
  void settle() {
    for (var round = 0; round < 8; round++) {
      shardExecutor.settle();
      for (var client : clients) {
        client.runTasks();
      }
    }
  }

  /** Lets time pass for the shard and the edge alike. */
  void advance(Duration time) {
    shardExecutor.advance(time);
    for (var client : clients) {
      client.advance(time);
    }
    settle();
  }
}
