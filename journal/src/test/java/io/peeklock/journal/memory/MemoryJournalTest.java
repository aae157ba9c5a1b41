package io.peeklock.journal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.sim.JournalContract;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.meter.BudgetUse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryJournalTest extends JournalContract {

  @Override
  public Journal open(SimExecutors executors) {
    return MemoryJournal.create(8 * MIB, executors.shardExecutor());
  }

  private MemoryJournal journal() {
    return (MemoryJournal) story.journal();
  }

  @Test
  @Rule("I-08")
  void aboveTheBoundSendsAreRefusedUntilBodiesDie() {
    while (story.journal().takesSends()) {
      story.send(10_000, 10_000);
      executors.settle();
    }
    assertThat(journal().heldBytes()).isLessThanOrEqualTo(9 * MIB);

    story.complete(story.live().stream().mapToLong(id -> id).toArray());
    executors.settle();

    assertThat(story.journal().takesSends()).isTrue();
    assertThat(journal().heldBytes()).isLessThanOrEqualTo(MIB);
  }

  @Test
  @Rule({"I-08", "I-46"})
  void copiesWithPropertiesOfTheirOwnHaveAQuarterMoreThanSends() {
    while (story.journal().takesSends()) {
      story.send(10_000, 10_000);
      executors.settle();
    }
    assertThat(journal().takesChangedCopies()).isTrue();

    while (journal().takesChangedCopies()) {
      story.send(10_000, 10_000);
      executors.settle();
    }
    assertThat(journal().heldBytes()).isBetween(10 * MIB, 11 * MIB);

    story.complete(story.live().stream().mapToLong(id -> id).toArray());
    executors.settle();
    assertThat(journal().takesChangedCopies()).isTrue();
  }

  private BudgetUse largeBodiesThatArrive() {
    return journal().budgets().stream()
        .filter(use -> use.name().equals("staged_large_bodies"))
        .findFirst()
        .orElseThrow();
  }

  /** Once a byte each, and once as much as gives each of them memory of its own. */
  @ParameterizedTest
  @ValueSource(ints = {1, 300_000})
  @Rule("I-08")
  void largeBodiesThatAreBegunAndNeverEndedLeaveRoomForOthers(int bytes) {
    var writers = new ArrayList<LargeBody.Writer>();
    for (var i = 0; i < 2_000; i++) {
      var writer = story.arena().openLarge(2_000_000);
      writer.write(ByteBuffer.allocate(bytes));
      writers.add(writer);
    }

    assertThat(journal().takesSends()).isTrue();
    assertThat(journal().heldBytes()).isLessThanOrEqualTo(6 * MIB);
    assertThat(writers.getFirst().isRefused()).isFalse();
    assertThat(writers.getLast().isRefused()).isTrue();
    assertThat(largeBodiesThatArrive().taken()).isBetween(5 * MIB, 6 * MIB);
    assertThat(largeBodiesThatArrive().refused()).isPositive();
    assertThat(story.arena().mostLargeBytes()).isEqualTo(largeBodiesThatArrive().most());
    story.send(10_000, 10_000);
    executors.settle();
    assertThat(story.live()).hasSize(2);

    writers.forEach(LargeBody.Writer::abort);
    assertThat(largeBodiesThatArrive().taken()).isZero();
    stageLarge(Story.bytesOf(1, 5_000_000)).release();
    story.sendLarge(stageLarge(Story.bytesOf(story.nextBodyId, 2_000_000)));
    executors.settle();
    assertThat(largeBodiesThatArrive().taken()).isZero();
  }

  @Test
  @Rule("S-493")
  void whatIsAliveIsTold() {
    story.send(10_000, 20_000);
    executors.settle();
    assertThat(journal().use().liveBytes()).isEqualTo(30_000);

    story.complete(story.live().getFirst());
    executors.settle();
    assertThat(journal().use().liveBytes()).isEqualTo(20_000);
    journal().forget(new long[] {story.live().getFirst(), 999});

    assertThat(journal().use().liveBytes()).isZero();
  }

  @Test
  void aFewOldBodiesDoNotHoldAllMemory() {
    for (var i = 0; i < 40; i++) {
      var sizes = new int[100];
      Arrays.fill(sizes, 1_000);
      story.send(sizes);
      executors.settle();
      story.complete(
          story.live().stream().filter(id -> id % 100 != 0).mapToLong(id -> id).toArray());
      executors.settle();
    }
    for (var i = 0; i < 200; i++) {
      story.send(40_000);
      executors.settle();
      story.complete(story.nextBodyId - 1);
      executors.settle();
    }

    assertThat(journal().heldBytes()).isLessThanOrEqualTo(5 * MIB);
    var live = story.live();
    assertThat(live).hasSize(40);
    story.check(Objects.requireNonNull(story.fetch(live)), live);
  }

  /** As from many queues in turn: a body at a time, of any size. */
  private void fill() {
    var chance = new Random(7);
    while (story.journal().takesSends()) {
      var sizes = new int[50];
      var staged = new ArrayList<StagedBodies>();
      for (var i = 0; i < sizes.length; i++) {
        sizes[i] = 100 + chance.nextInt(2_900);
        story.nextBodyId += i;
        staged.add(story.stage(sizes[i]));
        story.nextBodyId -= i;
      }
      story.append(staged, sizes, new long[0]);
      executors.settle();
    }
  }

  private void completeAllBut(LongPredicate kept) {
    var dead = story.live().stream().mapToLong(id -> id).filter(kept.negate()).toArray();
    for (var from = 0; from < dead.length; from += 1_000) {
      story.complete(Arrays.copyOfRange(dead, from, Math.min(dead.length, from + 1_000)));
    }
    executors.settle();
  }

  @Test
  @Rule("I-08")
  void fewThatLiveAmongManyDeadKeepLittle() {
    for (var round = 0; round < 3; round++) {
      var first = story.nextBodyId;
      fill();
      assertThat(story.nextBodyId - first).as("sends that were taken").isGreaterThan(4_000);
      completeAllBut(id -> id % 100 == 0);

      assertThat(journal().heldBytes()).isLessThanOrEqualTo(2 * MIB);
    }
    var live = story.live();
    story.check(Objects.requireNonNull(story.fetch(live)), live);
  }

  /** What died while there was room for all is looked at when there is not. */
  @Test
  @Rule("I-08")
  void whoOnlySendsFindsTheRoomThatTheDeadHad() {
    for (var i = 0; i < 350; i++) {
      story.send(10_000);
    }
    executors.settle();
    completeAllBut(id -> id > 240 || id % 24 == 0);
    assertThat(journal().heldBytes()).isLessThan(4 * MIB);

    var sent = 0;
    for (; story.journal().takesSends(); sent++) {
      story.send(10_000);
      executors.settle();
    }
    assertThat(sent).isGreaterThan(600);
  }

  @Test
  void nothingIsHeldOnceEverybodyLetGo() {
    story.sendLarge(stageLarge(Story.bytesOf(1, 2_000_000)));
    story.send(100_000, 500_000);
    executors.settle();
    var bodies = Objects.requireNonNull(story.fetch(story.live()));
    story.complete(1, 2, 3);
    executors.settle();
    Objects.requireNonNull(bodies.large(0)).release();
    bodies.release();

    assertThat(journal().heldBytes()).isLessThanOrEqualTo(MIB);
  }
}
