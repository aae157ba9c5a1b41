package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same as {@link ConnectionFaultTest} for every method of the edge and the engine that the
 * actions of a client reach: each throws in turn, at its first call and at its last, or at every
 * call with {@code -Dfaults=every}, which takes minutes.
 */
@LongProof
class EveryCallTest {
  private static final List<Supplier<Throwable>> FAULTS =
      List.of(
          () -> new IllegalStateException("a fault"),
          () -> new OutOfMemoryError("Cannot reserve 262144 bytes of direct buffer memory"));

  private static final boolean EVERY = "every".equals(System.getProperty("faults"));

  /** What gives back cannot fail to be entered: nobody could then give back. */
  private static final Set<String> GIVES_BACK =
      Set.of(
          "connection.AmqpConnection.attempt",
          "connection.AmqpConnection.fail",
          "AmqpEdge.left",
          "limit.LargeShare.give",
          "message.PendingBurst.release",
          "engine.limits.Budget.give");

  /** Whoever takes something over has it from its first instruction on. */
  private static final Set<String> TAKES_OVER =
      Set.of(
          "connection.AmqpConnection.guarded",
          "connection.AmqpConnection.perform",
          "connection.AmqpConnection.submit",
          "connection.AmqpConnectionHandler.channelRead",
          "management.ManagementLink.whyNot",
          "send.ProducerLink.largeStaged",
          "send.LargeIntake.finished",
          "send.LargeIntake.noted",
          "link.EventLoopContext.execute",
          "link.ShardPort.execute");

  @Test
  void whatIsLeftOutIsThere() {
    assertThat(CallFaults.missing(GIVES_BACK)).isEmpty();
    assertThat(CallFaults.missing(TAKES_OVER)).isEmpty();
  }

  @BeforeAll
  static void instrument() {
    CallFaults.install();
  }

  /** What is read lies in buffers of the connection's memory, and so do copies of it. */
  private static final class Socket extends ChannelInboundHandlerAdapter {
    private final ByteBufAllocator memory;

    Socket(ByteBufAllocator memory) {
      this.memory = memory;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
      var bytes = (ByteBuf) read;
      var own = memory.buffer(bytes.readableBytes()).writeBytes(bytes);
      bytes.release();
      context.fireChannelRead(own);
    }
  }

  /** One broker, a client that is innocent and one whose calls fail. */
  private static final class Scene {
    final AmqpBudgets budgets = AmqpBudgets.of(1 << 30, 1 << 30);
    final BrokerFixture broker = new BrokerFixture(budgets);
    final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
    final TestClient innocent;
    final TestClient guilty;
    private final List<Long> before;

    Scene(ClientAction action) {
      broker
          .queue(QueueDefinition.named("work").with().maxMessageBytes(4 << 20).build())
          .queue(QueueDefinition.named("talks").withSession(true))
          .queue(QueueDefinition.named("news").as(new QueueRole.Topic(false)))
          .queue(
              QueueDefinition.named("news/Subscriptions/all")
                  .as(new QueueRole.Subscription("news", true)));
      action.prepare(broker, "work");
      innocent = broker.client().sender(0, 0, "q").receiver(0, 1, "q", 1).forget();
      before = held();
      guilty = broker.clientBeside(innocent, memory);
      guilty.channel.pipeline().addFirst(new Socket(memory));
    }

    List<Long> held() {
      var held = new ArrayList<Long>();
      for (var budget :
          List.of(
              budgets.unauthenticatedLinks(),
              budgets.links(),
              budgets.unauthenticatedBytes(),
              budgets.partialBytes(),
              budgets.transactions(),
              budgets.replyBytes(),
              budgets.unreadBytes())) {
        held.add(budget.taken());
      }
      held.add((long) broker.edge.liveConnections());
      held.add(memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory());
      held.add((long) broker.journal.leaks());
      return held;
    }

    void play(ClientAction action) {
      action.of(guilty, () -> guilty.channel.isOpen());
    }

    /** What is wrong after the guilty one has left; empty when nothing is. */
    String wrong() {
      guilty.leave();
      broker.settle();
      if (broker.ended != null) {
        return "the shard ended: " + broker.ended;
      }
      if (!innocent.channel.isOpen() || !innocent.take(CLOSE).isEmpty()) {
        return "the innocent one is closed";
      }
      innocent.forget().message(0, TestMessage.text("innocent"));
      if (code(innocent.one(DISPOSITION).field(4)) != 0x24) {
        return "the innocent one cannot send";
      }
      innocent.credit(1, 1);
      if (innocent.take(TRANSFER).size() != 1) {
        return "the innocent one does not receive";
      }
      return held().equals(before) ? "" : "held before " + before + ", after " + held();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Rule("S-405")
  void aFaultInAnyMethodIsThatConnectionsAlone(ClientAction action) {
    var faultless = new Scene(action);
    CallFaults.count();
    faultless.play(action);
    var counted = CallFaults.counted();
    assertThat(faultless.wrong()).isEmpty();

    var wrong = new ArrayList<String>();
    var runs = 0;
    for (var method : counted.keySet()) {
      var name = method.substring("io.peeklock.amqp.".length());
      if (GIVES_BACK.contains(name) || TAKES_OVER.contains(name)) {
        continue;
      }
      var times = counted.get(method);
      for (var call : EVERY ? everyOf(times) : firstAndLastOf(times)) {
        for (var fault : FAULTS) {
          runs++;
          var found = fails(action, method, call, fault);
          if (!found.isEmpty()) {
            wrong.add(method + " call " + call + " of " + times + ": " + found);
          }
        }
      }
    }

    assertThat(runs).isGreaterThan(900);
    assertThat(wrong).isEmpty();
  }

  private static Set<Integer> firstAndLastOf(int times) {
    return times == 1 ? Set.of(1) : Set.of(1, times);
  }

  private static Set<Integer> everyOf(int times) {
    return IntStream.rangeClosed(1, times).boxed().collect(Collectors.toSet());
  }

  private static String fails(
      ClientAction action, String method, int call, Supplier<Throwable> fault) {
    var scene = new Scene(action);
    CallFaults.arm(method, call, fault);
    try {
      scene.play(action);
    } catch (Throwable gone) { // it hears nothing more, or cannot even speak
      if (!CallFaults.disarm()) {
        return "it failed without a fault: " + gone;
      }
      CallFaults.arm("", 0, fault);
    }
    var fired = CallFaults.disarm();
    if (fired && scene.guilty.channel.isOpen()) {
      return "it was swallowed";
    }
    try {
      return scene.wrong();
    } catch (RuntimeException | AssertionError broken) {
      return "fired " + fired + " " + broken;
    }
  }
}
