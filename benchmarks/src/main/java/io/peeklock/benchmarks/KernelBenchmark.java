package io.peeklock.benchmarks;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * What the rules cost per message: enqueue, lock and deliver, complete, in bursts of 64, with so
 * many messages waiting behind.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar KernelBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KernelBenchmark {
  private static final int BURST = 64;

  /** Messages that wait all the time. */
  @Param({"0", "1000000"})
  public int backlog;

  private final Machine machine = new Machine();
  private final Client client = new Client();
  private final QueueId queue = new QueueId(1);
  private long index;
  private long now = 1_767_225_600_000L;
  private long deliveryLimit;
  private long @Nullable [] lockIds;

  private static final class Client implements Origin {}

  private record Note() implements Ticket {}

  private static final Note NOTE = new Note();

  /** Makes the queue, its backlog, and a receiver. */
  @Setup
  public void fill() {
    run(
        machine.decide(
            stamp(), new Request.CreateQueue(client, NOTE, QueueDefinition.named("orders"))));
    for (var i = 0; i < backlog / BURST; i++) {
      send();
    }
    run(machine.decide(stamp(), new Request.OpenReceiver(client, queue, ReceiveMode.PEEK_LOCK)));
  }

  /** One burst through the whole life of its messages. */
  @Benchmark
  @OperationsPerInvocation(BURST)
  public long sendLockComplete() {
    send();
    deliveryLimit += BURST;
    run(machine.decide(stamp(), new Request.Flow(client, deliveryLimit, false)));
    while (machine.wantsDispatch()) {
      run(machine.dispatch(stamp()));
    }
    if (lockIds == null || lockIds.length != BURST) {
      throw new IllegalStateException("the burst was not delivered");
    }
    run(machine.decide(stamp(), new Request.Transferred(client, BURST * 1_024L)));
    run(
        machine.decide(
            stamp(),
            new Request.Settle(
                client, NOTE, queue, Settlement.COMPLETE, lockIds, BURST, false, null)));
    return machine.takeDeadBodies().length;
  }

  private void send() {
    var sizes = new int[BURST];
    Arrays.fill(sizes, 1_024);
    var lives = new long[BURST];
    Arrays.fill(lives, QueueDefinition.FOREVER);
    run(
        machine.decide(
            stamp(),
            new Request.Send(
                client, NOTE, queue, new SendBurst(BURST, sizes, new int[BURST], lives), false)));
  }

  private Stamp stamp() {
    now++;
    return new Stamp(now, now, index + 1);
  }

  private void run(Decision decision) {
    if (!decision.facts().isEmpty()) {
      index++;
    }
    for (var fact : decision.facts()) {
      machine.apply(index, fact);
    }
    for (var grant : decision.grants()) {
      machine.apply(grant);
    }
    for (var effect : decision.effects()) {
      if (effect instanceof Effect.Delivered delivered) {
        lockIds = delivered.messages().lockIds();
      }
    }
  }
}
