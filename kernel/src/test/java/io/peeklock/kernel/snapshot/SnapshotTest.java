package io.peeklock.kernel.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.kernel.machine.Chance;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot is the state of the moment at which it began, whatever happens meanwhile. */
class SnapshotTest {
  private static final QueueId ORDERS = new QueueId(1);
  private static final QueueId ORDERS_DEAD = new QueueId(2);
  private static final QueueId OTHER = new QueueId(3);
  private static final QueueId OTHER_DEAD = new QueueId(4);

  private static final QueueRole TOPIC = new QueueRole.Topic(false);
  private static final QueueRole READERS = new QueueRole.Subscription("news", true);

  private final Machine machine = new Machine();
  private final List<Book> busy = new ArrayList<>();
  private Book book = new Book(0);
  private int queues;
  private long index;
  private Chance chance = new Chance(1);

  /** A queue that things happen to, and what waits in it. */
  private static final class Book {
    final QueueId id;
    final QueueId deadLetters;
    final TreeSet<Long> waiting = new TreeSet<>();
    long nextNumber = 1;

    /** Of the queue with this place in the order of creation. */
    Book(int place) {
      id = new QueueId(2 * place + 1);
      deadLetters = new QueueId(2 * place + 2);
    }

    long any(Chance chance) {
      Long found = waiting.ceiling((long) chance.below((int) nextNumber));
      return found == null ? waiting.first() : found;
    }
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 60).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-01", "I-05", "I-42"})
  void theStateAtItsBeginningIsRebuiltAndLaterFactsFit(long seed) {
    chance = new Chance(seed);
    createMany();
    for (int i = chance.below(60); i > 0; i--) {
      change();
    }
    long hash = machine.stateHash();
    List<Fact> later = new ArrayList<>();
    List<Fact> written = new ArrayList<>();

    Snapshot snapshot = Snapshot.begin(machine.state(), 1 + chance.below(50)); // entities at once
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      written.addAll(part);
      for (int i = chance.below(8); i > 0; i--) {
        later.add(change());
      }
    }
    snapshot.end();

    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(hash);
    later.forEach(fact -> rebuilt.apply(++index, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(machine.stateHash());
    assertThat(rebuilt.nextBodyId()).isEqualTo(machine.nextBodyId());
  }

  @Test
  void whatIsRebuiltIsAvailableInOrder() {
    create();
    enqueue(2_000);
    apply(new Fact.Deferred(ORDERS, new long[] {3}, null));
    apply(new Fact.Completed(ORDERS, new long[] {1}));

    Machine rebuilt = new Machine();
    whole(machine).forEach(fact -> rebuilt.apply(0, fact));

    MessageIndex messages = rebuilt.state().known(ORDERS).messages();
    long first = messages.firstAvailable();
    assertThat(messages.number(first)).isEqualTo(2);
    assertThat(messages.number(messages.nextAvailable(first))).isEqualTo(4);
    assertThat(messages.available()).isEqualTo(1_998);
    assertThat(messages.deferred()).isEqualTo(1);
    assertThat(messages.readyIndex().expiryBound())
        .isEqualTo(machine.state().known(ORDERS).messages().readyIndex().expiryBound());
  }

  @Test
  @Rule({"I-01", "I-05"})
  void manyEmptyQueuesInARowAreNotTheEnd() {
    for (int i = 0; i < 100; i++) {
      QueueDefinition definition = QueueDefinition.named("q" + i);
      apply(new Fact.QueueCreated(new QueueId(2 * i + 1), new QueueId(2 * i + 2), definition, 0));
    }
    int[] sizes = {100};
    apply(new Fact.Enqueued(new QueueId(199), 1, 1, 1_000, sizes, sizes, null));

    Machine rebuilt = new Machine();
    whole(machine).forEach(fact -> rebuilt.apply(0, fact));

    assertThat(rebuilt.stateHash()).isEqualTo(machine.stateHash());
  }

  @Test
  @Rule({"I-01", "I-05"})
  void manyChunksThatAreNewInARowAreNotTheEnd() {
    create();
    int[] sizes = {100};
    apply(new Fact.Enqueued(OTHER, 1, machine.nextBodyId(), 1_000, sizes, sizes, null));
    long hash = machine.stateHash();
    List<Fact> written = new ArrayList<>();

    Snapshot snapshot = machine.beginSnapshot();
    enqueue(100_000);
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      written.addAll(part);
    }
    snapshot.end();

    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(hash);
  }

  /** A topic goes before its subscriptions, which are described later. */
  @ParameterizedTest(name = "made again: {0}")
  @ValueSource(booleans = {false, true})
  @Rule({"I-01", "I-05"})
  void entitiesThatGoBeforeTheyAreReachedAreAsTheyWere(boolean madeAgain) {
    create();
    QueueDefinition topic = QueueDefinition.named("news").with().role(TOPIC).build();
    QueueDefinition readers =
        QueueDefinition.named("news/subscriptions/readers").with().role(READERS).build();
    QueueId news = new QueueId(5);
    QueueId mine = new QueueId(7);
    apply(new Fact.QueueCreated(news, new QueueId(6), topic, 0));
    apply(new Fact.QueueCreated(mine, new QueueId(8), readers, 0));
    apply(new Fact.RuleAdded(mine, io.peeklock.kernel.entity.Rule.selectingAll(5)));
    long hash = machine.stateHash();
    List<Fact> written = new ArrayList<>();

    Snapshot snapshot = Snapshot.begin(machine.state(), 1);
    if (madeAgain) {
      apply(new EntityFact.QueueMadeAgain(news, new QueueId(9), new QueueId(10), topic, 1));
      apply(new EntityFact.QueueMadeAgain(mine, new QueueId(11), new QueueId(12), readers, 1));
    } else {
      apply(new EntityFact.QueueDeleted(news));
      apply(new EntityFact.QueueDeleted(mine));
    }
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      written.addAll(part);
    }
    snapshot.end();

    assertThat(written.stream().filter(Fact.RulesDescribed.class::isInstance))
        .containsExactly(
            new Fact.RulesDescribed(mine, List.of(io.peeklock.kernel.entity.Rule.selectingAll(5))));
    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(hash);
  }

  @Test
  void aStepDescribesNoMoreThanAThousandEntities() {
    for (int i = 0; i < 10_000; i++) {
      createOne();
    }
    List<Integer> sizes = new ArrayList<>();

    Snapshot snapshot = machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      sizes.add(part.size());
    }
    snapshot.end();

    assertThat(sizes).hasSize(10).allMatch(size -> size <= 1_025);
    assertThat(sizes.stream().mapToInt(size -> size).sum()).isEqualTo(10_001);
  }

  @Test
  void aCheckpointGoesThroughThePlacesThatHoldSomethingAlone() {
    create();
    enqueue(10);

    Snapshot snapshot = machine.beginSnapshot();

    assertThat(snapshot.sections()).isEqualTo(1);
    snapshot.end();
  }

  @Test
  void oneAtATime() {
    Snapshot first = machine.beginSnapshot();
    assertThatThrownBy(machine::beginSnapshot).isInstanceOf(Invariant.BrokenInvariant.class);

    first.end();

    machine.beginSnapshot().end();
  }

  @Test
  void aPartIsBounded() {
    create();
    enqueue(100_000);

    Snapshot snapshot = machine.beginSnapshot();
    long largest = 0;
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      largest = Math.max(largest, messagesIn(part));
    }

    assertThat(largest).isBetween(1_000L, 10_000L);
  }

  private static long messagesIn(List<Fact> part) {
    return part.stream()
        .filter(MessagesRestored.class::isInstance)
        .mapToLong(fact -> ((MessagesRestored) fact).sequenceNumbers().length)
        .sum();
  }

  private static List<Fact> whole(Machine machine) {
    List<Fact> all = new ArrayList<>();
    Snapshot snapshot = machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      all.addAll(part);
    }
    snapshot.end();
    return all;
  }

  private void create() {
    apply(new Fact.QueueCreated(ORDERS, ORDERS_DEAD, QueueDefinition.named("orders"), 0));
    apply(new Fact.QueueCreated(OTHER, OTHER_DEAD, QueueDefinition.named("other"), 0));
  }

  /** Most queues stay empty, before, between and behind the few that things happen to. */
  private void createMany() {
    int count = 1 + chance.below(80);
    for (int i = 0; i < count; i++) {
      createOne();
    }
    for (int i = chance.below(4); i >= 0; i--) {
      busy.add(new Book(chance.below(count)));
    }
    // The same queue twice would be two books about it.
    Set<QueueId> seen = new HashSet<>();
    busy.removeIf(each -> !seen.add(each.id));
  }

  private Fact createOne() {
    Book fresh = new Book(queues++);
    return apply(
        new Fact.QueueCreated(fresh.id, fresh.deadLetters, QueueDefinition.named("q" + queues), 0));
  }

  private Fact change() {
    if (chance.oneIn(30)) {
      return createOne();
    }
    book = busy.get(chance.below(busy.size()));
    int what = book.waiting.isEmpty() ? 0 : chance.below(10);
    return switch (what) {
      case 0, 1 -> enqueue(1 + chance.below(1_500));
      case 2 -> enqueue(1 + chance.below(10_000));
      case 3, 4, 5 -> completeSome();
      case 6 -> apply(new Fact.Abandoned(book.id, new long[] {book.any(chance)}, overlay()));
      case 7 -> apply(new Fact.Deferred(book.id, new long[] {book.any(chance)}, null));
      default -> deadLetter();
    };
  }

  private Fact enqueue(int count) {
    int[] sizes = new int[count];
    Arrays.fill(sizes, 100);
    long[] expiries = null;
    if (chance.oneIn(3)) {
      expiries = new long[count];
      Arrays.setAll(expiries, i -> 5_000 + chance.below(100_000));
    }
    Fact fact =
        new Fact.Enqueued(
            book.id, book.nextNumber, machine.nextBodyId(), 1_000 + index, sizes, sizes, expiries);
    for (int i = 0; i < count; i++) {
      book.waiting.add(book.nextNumber++);
    }
    return apply(fact);
  }

  /** Neighbours mostly, so that chunks run empty, shrink and merge. */
  private Fact completeSome() {
    List<Long> some =
        book.waiting.tailSet(book.any(chance)).stream().limit(1 + chance.below(2_000)).toList();
    some.forEach(book.waiting::remove);
    return apply(new Fact.Completed(book.id, some.stream().mapToLong(number -> number).toArray()));
  }

  private Fact deadLetter() {
    long[] numbers =
        book.waiting.tailSet(book.any(chance)).stream()
            .limit(1 + chance.below(400))
            .mapToLong(n -> n)
            .toArray();
    for (long number : numbers) {
      book.waiting.remove(number);
    }
    return apply(
        new Fact.DeadLettered(
            book.id, book.deadLetters, numbers, DeadLetterCause.RECEIVER, chance.oneIn(2), null));
  }

  private Fact.StoredOverlay overlay() {
    return new Fact.StoredOverlay(machine.nextBodyId(), 1 + chance.below(50));
  }

  private Fact apply(Fact fact) {
    machine.apply(++index, fact);
    return fact;
  }
}
