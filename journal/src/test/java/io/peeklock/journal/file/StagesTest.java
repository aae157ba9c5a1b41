package io.peeklock.journal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything of a shard that reads before it decides, at once and at every order of the threads:
 * settlements over changed properties, forwarded, scheduled, large and dead-lettered messages.
 * Reads are answered early, late or one by one, and on disk the process is killed in the middle.
 */
class StagesTest {
  private static final int ROUNDS = 60;
  private static final int MOST_TURNS = 20_000;

  static List<Arguments> seeds() {
    return LongStream.rangeClosed(1, 60)
        .boxed()
        .flatMap(seed -> List.of(Arguments.of("memory", seed), Arguments.of("disk", seed)).stream())
        .toList();
  }

  @ParameterizedTest(name = "in {0}, seed {1}")
  @MethodSource("seeds")
  @Rule({"S-082", "S-151", "S-291", "S-298", "I-36"})
  void allOfItEndsInOrderAndNothingGoesRound(String storage, long seed) throws IOException {
    var chance = new Random(seed);
    var world = new StagesWorld(storage.equals("disk"));
    world.queue(QueueDefinition.named("end").with().requiresSession(true).build());
    var source = world.queue(QueueDefinition.named("source").with().forwardTo("end").build());
    var work =
        world.queue(QueueDefinition.named("work").with().forwardDeadLettersTo("end").build());
    var completed = new HashSet<String>();
    var answered = new ArrayList<StagesWorld.Answer>();
    var client = world.client(work);
    var texts = IntStream.range(0, ROUNDS).mapToObj(i -> "m" + (100 + i)).iterator();

    for (var round = 0; round < ROUNDS; round++) {
      switch (chance.nextInt(12)) {
        case 0, 1, 2 -> client.send(source, "now-" + texts.next());
        case 3 -> client.schedule(source, 1 + chance.nextInt(2_000), "later-" + texts.next());
        case 4 -> client.sendLarge(source, "large-" + texts.next());
        case 5, 6 -> client.send(work, "work-" + texts.next());
        case 7, 8, 9 -> settle(client, chance, completed);
        case 10 -> world.pass(chance.nextInt(800));
        default -> client.flow(1 + chance.nextInt(3));
      }
      world.turns(chance, chance.nextInt(40));
      if (storage.equals("disk") && round == ROUNDS / 2) {
        answered.addAll(client.answers);
        inOrder(client);
        world.restart();
        client = world.client(work);
      }
    }
    world.settle();
    inOrder(client);
    answered.addAll(client.answers);

    for (var more = 0; more < 40; more++) {
      client.flow(5);
      world.pass(5_000);
      client.held.forEach(delivery -> completed.add(delivery.text()));
      client.completeAll();
    }
    inOrder(client);

    var arrived = world.texts("end");
    assertThat(arrived).doesNotHaveDuplicates();
    assertThat(arrived).isSubsetOf(world.sent());
    assertThat(world.accepted(answered)).isSubsetOf(both(arrived, completed));
    assertThat(arrived.stream().filter(text -> text.startsWith("now-")))
        .isSortedAccordingTo(Comparator.naturalOrder());
    assertThat(world.texts("source")).isEmpty();
    assertThat(world.texts("work")).isEmpty();
    assertThat(world.shard().standing()).isEmpty();
    assertThat(world.news()).isEmpty();
    assertThat(world.turns()).isLessThan(MOST_TURNS);
  }

  private static Set<String> both(List<String> some, Set<String> more) {
    var all = new HashSet<>(some);
    all.addAll(more);
    return all;
  }

  /** One that is held, once or, as who is confused does, twice. */
  private static void settle(StagesWorld.Client client, Random chance, Set<String> completed) {
    if (client.held.isEmpty()) {
      return;
    }
    var delivery = client.held.remove(chance.nextInt(client.held.size()));
    switch (chance.nextInt(4)) {
      case 0 -> {
        client.settle(Settlement.COMPLETE, delivery, "");
        completed.add(delivery.text());
      }
      case 1 -> client.settle(Settlement.DEAD_LETTER, delivery, "d");
      default -> client.settle(Settlement.ABANDON, delivery, "a");
    }
    if (chance.nextInt(3) == 0) {
      client.settle(Settlement.RELEASE, delivery, "");
    }
  }

  /** A link is answered in the order in which it asked, and its first word about a lock counts. */
  private static void inOrder(StagesWorld.Client client) {
    assertThat(client.answers)
        .isSortedAccordingTo(Comparator.comparingInt(StagesWorld.Answer::asked));
    var done = new HashSet<Long>();
    for (var answer : client.answers) {
      if (answer.lock() != 0 && answer.effect() instanceof Effect.SettleAnswered settled) {
        assertThat(settled.refusals() == null).isEqualTo(done.add(answer.lock()));
      }
    }
  }
}
