package io.peeklock.benchmarks;

import io.peeklock.codec.FactCodec;
import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the rules cost per message that is sent: decided, made true, encoded for the log. To a
 * queue, and to topics with subscriptions that select every message.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar TopicBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(1)
public class TopicBenchmark {
  private static final int BURST = 64;
  private static final QueueId ENTITY = new QueueId(1);

  /** How many subscriptions the topic has; 0 for a queue. */
  @Param({"0", "1", "2", "11"})
  public int subscriptions;

  private final ByteBuffer log = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
  private final Origin sender = new Origin() {};
  private final Ticket ticket = new Ticket() {};
  private Machine machine = new Machine();
  private long index;

  /** Begins anew, so that what waits does not grow for ever. */
  @Setup(Level.Iteration)
  public void begin() {
    machine = new Machine();
    var role = subscriptions == 0 ? QueueRole.QUEUE : new QueueRole.Topic(false);
    ask(new Request.CreateQueue(sender, ticket, QueueDefinition.named("e").as(role)));
    for (var i = 0; i < subscriptions; i++) {
      var subscription =
          QueueDefinition.named("e/Subscriptions/" + i).as(new QueueRole.Subscription("e", true));
      ask(new Request.CreateQueue(sender, ticket, subscription));
    }
  }

  /** One message. */
  @Benchmark
  @OperationsPerInvocation(BURST)
  public int send() {
    var sizes = new int[BURST];
    var lives = new long[BURST];
    Arrays.fill(sizes, 1_024);
    Arrays.fill(lives, QueueDefinition.FOREVER);
    var burst = new SendBurst(BURST, sizes, sizes.clone(), lives);
    return ask(new Request.Send(sender, ticket, ENTITY, burst, false));
  }

  private int ask(Request request) {
    index++;
    Decision decision = machine.decide(new Stamp(index, index, index), request);
    log.clear();
    for (Fact fact : decision.facts()) {
      machine.apply(index, fact);
    }
    FactCodec.encode(decision.facts(), log);
    return log.position();
  }
}
