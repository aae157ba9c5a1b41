package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every kind of fact is about, also those that nobody has thought of here. */
class SubjectsTest {
  private static final QueueDefinition PLAIN = QueueDefinition.named("plain");
  private static final Copies COPIES = new Copies(new QueueId(9), 4, null, null, null, null);

  static Stream<Class<?>> kinds() {
    return kinds(Fact.class);
  }

  /** A fact of this kind; columns that may be missing are, or are not. */
  private static Fact fact(Class<?> kind, boolean full) throws ReflectiveOperationException {
    var components = kind.getRecordComponents();
    var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = new @Nullable Object[components.length];
    for (var i = 0; i < values.length; i++) {
      values[i] = value(components[i], full);
    }
    return (Fact) kind.getDeclaredConstructor(types).newInstance(values);
  }

  private static @Nullable Object value(RecordComponent component, boolean full) {
    var type = component.getType();
    if (type.isArray() && !full && component.getName().matches("sessionIds|messageIdHashes")) {
      return null;
    }
    if (type == QueueId.class) {
      return switch (component.getName()) {
        case "source", "before" -> new QueueId(6);
        case "deadLetterQueue" -> new QueueId(8);
        default -> new QueueId(7);
      };
    } else if (type == long.class) {
      return 5L;
    } else if (type == int.class) {
      return 5;
    } else if (type == boolean.class) {
      return false;
    } else if (type == long[].class) {
      return new long[] {5};
    } else if (type == int[].class) {
      return new int[] {5};
    } else if (type == String[].class) {
      return new String[] {"s"};
    } else if (type == Copies[].class) {
      return new Copies[] {COPIES};
    } else if (type == QueueDefinition.class) {
      return PLAIN;
    } else if (type == QueueEntry.class) {
      return new QueueEntry(new QueueId(7), new QueueId(8), PLAIN, 5, 5);
    } else if (type == Rule.class) {
      return Rule.selectingAll(5);
    } else if (type == List.class) {
      return List.of(Rule.selectingAll(5));
    } else if (type == String.class) {
      return "s";
    } else if (type == DeadLetterCause.class) {
      return DeadLetterCause.RECEIVER;
    }
    return null;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFactNamesItsQueues(Class<?> kind) throws ReflectiveOperationException {
    var fact = fact(kind, true);
    var expected = new TreeSet<Integer>();
    for (var component : kind.getRecordComponents()) {
      if (component.getType() == QueueEntry.class) {
        expected.addAll(List.of(7, 8));
      }
      if (value(component, true) instanceof QueueId id) {
        expected.add(id.number());
      }
      if (component.getType() == Copies[].class) {
        expected.add(COPIES.subscription().number());
      }
    }

    assertThat(Subjects.of(fact)).extracting(QueueId::number).containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void onlyFactsAboutQueuesThemselvesTellDefinitions(Class<?> kind)
      throws ReflectiveOperationException {
    var told = Subjects.definedBy(fact(kind, true));
    var tells = Set.of("QueueCreated", "QueueMadeAgain", "QueueRestored");

    assertThat(told != null).isEqualTo(tells.contains(kind.getSimpleName()));
    if (told != null) {
      assertThat(told.definition()).isEqualTo(PLAIN);
      assertThat(told.deadLetterQueue()).isEqualTo(new QueueId(8));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void someFactsAreTheLastWordAboutTheirMessages(Class<?> kind)
      throws ReflectiveOperationException {
    var last = Set.of("Completed", "Consumed", "Expired", "Cancelled", "Deleted");

    assertThat(Subjects.settledBy(fact(kind, true)))
        .hasSize(last.contains(kind.getSimpleName()) ? 1 : 0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void columnsShowWhatAQueueIs(Class<?> kind) throws ReflectiveOperationException {
    var sessions =
        Set.of(
            "Enqueued",
            "Scheduled",
            "MessagesRestored",
            "SessionStateSet",
            "SessionStatesRestored");
    var ids = Set.of("Enqueued", "Scheduled", "MessageIdsRestored", "MessageIdsSeen");
    var always = Set.of("SessionStateSet", "SessionStatesRestored");
    var name = kind.getSimpleName();

    var full = Subjects.shown(PLAIN, fact(kind, true));
    var bare = Subjects.shown(PLAIN, fact(kind, false));

    assertThat(full.requiresSession()).isEqualTo(sessions.contains(name));
    assertThat(full.duplicateWindowMillis() > 0).isEqualTo(ids.contains(name));
    assertThat(bare.requiresSession()).isEqualTo(always.contains(name));
    assertThat(bare.duplicateWindowMillis() > 0).isEqualTo(name.startsWith("MessageIds"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatNumbersAFactGivesOutItSays(Class<?> kind) throws ReflectiveOperationException {
    var given = fact(kind, true) instanceof Fact.GivesNumbers numbers ? numbers : null;

    assertThat(given != null).isEqualTo(has(kind, "firstSequenceNumber"));
    if (given != null) {
      assertThat(given.numberedBy()).isEqualTo(new QueueId(7));
      assertThat(given.firstSequenceNumber()).isEqualTo(5);
      assertThat(given.count()).isEqualTo(has(kind, "count") ? 5 : 1);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatAFactDoesWithMessagesItSays(Class<?> kind) throws ReflectiveOperationException {
    var fact = fact(kind, true);
    var moves =
        Set.of(
            "Activated",
            "ActivatedInBacklog",
            "ScheduledPublished",
            "DeadLettered",
            "Forwarded",
            "ForwardPublished");

    assertThat(fact instanceof Fact.StoresMessages).isEqualTo(has(kind, "firstBodyId"));
    assertThat(fact instanceof Fact.CopiesMessages).isEqualTo(has(kind, "copies"));
    assertThat(fact instanceof Fact.MovesMessages).isEqualTo(moves.contains(kind.getSimpleName()));
    assertThat(fact instanceof Fact.InCheckpoint)
        .isEqualTo(kind.getSimpleName().matches(".*(Restored|Described)"));
  }

  private static boolean has(Class<?> kind, String component) {
    return Arrays.stream(kind.getRecordComponents())
        .anyMatch(each -> each.getName().equals(component));
  }

  @Test
  void thereAreManyKinds() {
    assertThat(kinds()).hasSizeGreaterThan(20);
  }

  /** The records, not the interfaces that gather some of them. */
  private static Stream<Class<?>> kinds(Class<?> of) {
    return of.isRecord()
        ? Stream.of(of)
        : Arrays.stream(of.getPermittedSubclasses()).flatMap(each -> kinds(each));
  }
}
