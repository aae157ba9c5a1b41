package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.proof.Rule;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What empty entities take of the heap, beside what they are counted for. */
class EntityHeapTest {
  private static final int COUNT = 4_000;

  /** Edges keep something of each entity too, which is counted here and is not in a machine. */
  private static final int OF_EDGES = 300;

  /** Entities of one shape, each made anew. */
  record Shape(String name, IntFunction<QueueDefinition> maker) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Shape> shapes() {
    String wide = "\u4e2d".repeat(200);
    return Stream.of(
        new Shape("plain", number -> QueueDefinition.named("q" + number)),
        new Shape("long names", number -> QueueDefinition.named(wide + number)),
        new Shape("in capitals", number -> QueueDefinition.named("Q".repeat(200) + number)),
        new Shape("sessions", number -> QueueDefinition.named("q" + number).withSession(true)),
        new Shape(
            "remembered ids",
            number -> QueueDefinition.named("q" + number).withDuplicateWindow(60_000)),
        new Shape(
            "topics", number -> QueueDefinition.named("t" + number).as(new QueueRole.Topic(false))),
        new Shape(
            "subscriptions",
            number ->
                number == 0
                    ? QueueDefinition.named("t").as(new QueueRole.Topic(false))
                    : QueueDefinition.named("t/Subscriptions/s" + number)
                        .as(new QueueRole.Subscription(new String("t"), true))),
        new Shape(
            "comments",
            number ->
                QueueDefinition.named("q" + number)
                    .with()
                    .attributes(Map.of("UserMetadata", wide.repeat(5) + number))
                    .build()),
        new Shape(
            "forwarding",
            number ->
                QueueDefinition.named("q" + number)
                    .with()
                    .forwardTo(wide + "a" + number)
                    .forwardDeadLettersTo(wide + "b" + number)
                    .build()));
  }

  private static long live() {
    for (int round = 0; round < 4; round++) { // the serial collector is thorough in each fourth
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  @Rule("I-46")
  void anEntityTakesNoMoreThanItIsCountedFor(Shape shape) {
    Machine machine = new Machine();
    long before = live();
    for (int i = 0; i < COUNT; i++) {
      QueueDefinition definition = shape.maker().apply(i);
      var ids = new QueueId[] {new QueueId(2 * i + 1), new QueueId(2 * i + 2)};
      machine.apply(i, new Fact.QueueCreated(ids[0], ids[1], definition, 1));
    }
    long each = (live() - before) / COUNT;
    long counted = machine.stored().entities() / COUNT;

    assertThat(machine.queues()).hasSize(COUNT);
    assertThat(each + OF_EDGES).isLessThan(counted).isGreaterThan(counted / 3);
  }
}
