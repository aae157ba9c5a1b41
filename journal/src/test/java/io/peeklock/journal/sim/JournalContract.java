package io.peeklock.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.meter.BudgetUse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every journal does, wherever it keeps its bytes. */
public abstract class JournalContract {
  public static final long MIB = 1 << 20;

  public final SimExecutors executors = new SimExecutors();
  public final Story story = new Story();

  public abstract Journal open(SimExecutors executors) throws IOException;

  @BeforeEach
  public void begin() throws IOException {
    story.on(open(executors));
  }

  @AfterEach
  public void end() {
    story.journal().close();
  }

  @Test
  public void aNewLogStandsAtTheBeginning() {
    assertThat(story.replayed).isEmpty();
    assertThat(story.lastIndex).isZero();
    assertThat(story.term).isPositive();
    assertThat(story.journal().needsNoopBatch()).isFalse();
    assertThat(story.journal().takesSends()).isTrue();
  }

  @Test
  public void aLogOfOneProcessLeadsBeforeItsRecoveryReturns() {
    assertThat(story.led).containsExactly(new Log.Standing(story.term, 0, 0));
  }

  @Test
  public void batchesAreToldInOrderAndOnlyLater() {
    story.send(10, 20);
    story.send(30);
    story.complete(1);

    assertThat(story.durable).isZero();
    executors.settle();
    assertThat(story.durable).isEqualTo(3);
    assertThat(story.journal().backlogBytes()).isZero();
  }

  @Test
  public void bodiesAreThereFromTheirAppendOn() {
    story.send(10, 0, 70_000);
    story.send(300_000, 1_000_000, 5);

    var ids = List.of(6L, 1L, 2L, 3L, 5L, 4L);
    story.check(Objects.requireNonNull(story.fetch(ids)), ids);
  }

  @Test
  public void aPinnedBodyOutlivesItsDeath() {
    story.send(100, 100);
    executors.settle();
    var pinned = Objects.requireNonNull(story.fetch(List.of(1L, 2L)));

    story.complete(1, 2);
    executors.settle();
    for (var i = 0; i < 600; i++) {
      story.send(1_000);
    }

    story.check(pinned, List.of(1L, 2L));
  }

  @Test
  public void aBodyIsReadableUntilTheHomeKnowsThatItsDeathIsDurable() {
    story.send(100);
    executors.settle();

    story.complete(1);

    story.check(Objects.requireNonNull(story.fetch(List.of(1L))), List.of(1L));
    executors.settle();
  }

  @Test
  public void bodiesThatADecisionDidNotKeepAreDropped() {
    var id = story.nextBodyId;
    story.arena().begin();
    for (var keep : new boolean[] {false, true, false, true, true, false}) {
      story.arena().reserve(50).put(keep ? Story.bytesOf(id++, 50) : new byte[50]);
      story.arena().commit();
    }
    var staged = story.arena().end();

    staged.keepOnly(new boolean[] {false, true, false, true, true, false});

    assertThat(staged.count()).isEqualTo(3);
    assertThat(staged.bytes()).isEqualTo(150);
    story.append(List.of(staged), new int[] {50, 50, 50}, new long[0]);
    executors.settle();
    var ids = List.of(1L, 2L, 3L);
    story.check(Objects.requireNonNull(story.fetch(ids)), ids);
  }

  @Test
  public void theBodiesOfABatchBehindTheEndAreGivenBackAndNothingIsTold() {
    story.send(10);
    executors.settle();
    var late = story.stage(20_000);
    assertThat(stagedBytes()).isPositive();

    story.journal().close();
    story.append(List.of(late), new int[] {20_000}, new long[0]);
    executors.settle();

    assertThat(stagedBytes()).isZero();
    assertThat(story.durable).isEqualTo(1);
    assertThat(story.failures).isEmpty();
  }

  private long stagedBytes() {
    return story.journal().budgets().stream()
        .filter(use -> use.name().equals("staged_bodies"))
        .mapToLong(BudgetUse::taken)
        .sum();
  }

  @Test
  public void anArenaRefusesWhatMakesNoSense() {
    var arena = story.journal().newArena();

    assertThatThrownBy(() -> arena.reserve(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(arena::end).isInstanceOf(IllegalStateException.class);
    arena.begin();
    assertThatThrownBy(arena::begin).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(arena::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.reserve(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.reserve(BodyArena.LARGE_BODY_BYTES + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(arena.reserve(BodyArena.LARGE_BODY_BYTES).remaining())
        .isGreaterThanOrEqualTo(BodyArena.LARGE_BODY_BYTES);
    arena.end().release();
  }

  @Test
  public void aBodyThatNobodyKnowsIsUnreadable() {
    story.send(10);
    executors.settle();

    assertThat(story.fetch(List.of(1L, 77L))).isNull();
    executors.settle();

    assertThat(story.unreadable).hasSize(1);
    assertThat(story.unreadable.get(0)).startsWith("77: ").contains("no body 77");
  }

  @Test
  public void largeBodiesAreReadInPiecesOfAnySize() {
    var bytes = Story.bytesOf(1, 3_000_001);
    story.sendLarge(stageLarge(bytes));
    story.send(10);
    executors.settle();

    var bodies = Objects.requireNonNull(story.fetch(List.of(2L, 1L)));
    var large = Objects.requireNonNull(bodies.large(1));

    assertThat(bodies.large(0)).isNull();
    assertThat(bodies.length(1)).isEqualTo(bytes.length);
    assertThat(large.length()).isEqualTo(bytes.length);
    bodies.release();
    assertThat(readAll(large, 262_144)).isEqualTo(bytes);
    assertThat(readAll(large, 100_000)).isEqualTo(bytes);
    large.release();
  }

  @Test
  @Rule("I-01")
  public void aLargeBodyAmongSmallOnesOfABatchStaysOne() {
    var large = stageLarge(Story.bytesOf(2, 5_000));
    var first = story.stage(10);
    story.arena().begin();
    story.arena().commit(large);
    var second = story.arena().end();
    story.nextBodyId += 2;
    var third = story.stage(20);
    story.nextBodyId -= 2;
    story.append(List.of(first, second, third), new int[] {10, 5_000, 20}, new long[0]);
    executors.settle();

    var bodies = Objects.requireNonNull(story.fetch(List.of(1L, 2L, 3L)));
    var read = Objects.requireNonNull(bodies.large(1));
    assertThat(readAll(read, 262_144)).isEqualTo(Story.bytesOf(2, 5_000));
    read.release();
    story.check(bodies, List.of(1L, 2L, 3L));
  }

  /** Short of a piece, exactly one, and several. */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 262_144, 600_000})
  public void theBeginningOfALargeBodyCanBeAmended(int size) {
    var writer = story.arena().openLarge(size);
    var bytes = Story.bytesOf(1, size);
    for (var at = 0; at < size; at += 60_000) {
      writer.write(ByteBuffer.wrap(bytes, at, Math.min(60_000, size - at)));
    }

    writer.amend(500, ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 4}, 1, 4));

    System.arraycopy(new byte[] {1, 2, 3, 4}, 0, bytes, 500, 4);
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    executors.settle();
    story.sendLarge(Objects.requireNonNull(stored.getFirst()));
    executors.settle();
    var large = Objects.requireNonNull(Objects.requireNonNull(story.fetch(List.of(1L))).large(0));
    assertThat(readAll(large, 262_144)).isEqualTo(bytes);
    large.release();
    assertThat(story.failures).isEmpty();
  }

  @Test
  public void onlyTheBeginningOfALargeBodyCanBeAmendedAndOnlyWhatIsThere() {
    var writer = story.arena().openLarge(600_000);
    var two = ByteBuffer.allocate(2);
    writer.write(ByteBuffer.allocate(10));
    for (var at : new int[] {-1, 9}) {
      assertThatThrownBy(() -> writer.amend(at, two)).isInstanceOf(IllegalArgumentException.class);
    }
    writer.write(ByteBuffer.allocate(500_000));
    assertThatThrownBy(() -> writer.amend(262_143, two))
        .isInstanceOf(IllegalArgumentException.class);
    writer.amend(262_142, two);
    writer.abort();
    assertThatThrownBy(() -> writer.amend(0, two)).isInstanceOf(IllegalArgumentException.class);
    executors.settle();
    assertThat(story.failures).isEmpty();
  }

  @Test
  public void aLargeBodyThatFoundNoRoomSaysSoAtOnce() {
    var writer = story.arena().openLarge(1_000);
    writer.write(ByteBuffer.allocate(1_000));
    assertThat(writer.isRefused()).isFalse();

    writer.write(ByteBuffer.allocate(300_000));

    assertThat(writer.isRefused()).isTrue();
    writer.amend(0, ByteBuffer.allocate(4)); // nothing
    writer.abort();
  }

  @Test
  public void aLargeBodyCanBeGivenUpAtAnyMoment() {
    var early = story.arena().openLarge(10 * MIB);
    early.write(ByteBuffer.allocate(700_000));
    early.abort();
    stageLarge(Story.bytesOf(9, 2_000_000)).release();
    var refused = story.arena().openLarge(1_000);
    refused.write(ByteBuffer.allocate(2_000));
    var stored = new ArrayList<LargeBody.Staged>();
    refused.finish(Story.endpoint(), stored::add);
    executors.settle();

    assertThat(stored).hasSize(1).containsOnlyNulls();
    assertThat(story.failures).isEmpty();
  }

  @Test
  public void manySmallBatchesComeBackRight() {
    var chance = new Random(5);
    for (var i = 0; i < 300; i++) {
      story.send(chance.nextInt(3_000), chance.nextInt(3_000));
      if (chance.nextInt(3) == 0) {
        var live = story.live();
        story.complete(live.get(chance.nextInt(live.size())));
      }
      executors.settle();
    }

    var live = story.live();
    story.check(Objects.requireNonNull(story.fetch(live)), live);
  }

  public LargeBody.Staged stageLarge(byte[] bytes) {
    var writer = story.arena().openLarge(bytes.length);
    for (var at = 0; at < bytes.length; at += 60_000) {
      writer.write(ByteBuffer.wrap(bytes, at, Math.min(60_000, bytes.length - at)));
      executors.settle();
    }
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    executors.settle();
    return Objects.requireNonNull(stored.get(0));
  }

  public byte[] readAll(LargeBody large, int step) {
    var out = new ByteArrayOutputStream();
    for (var at = 0L; at < large.length(); at += step) {
      large.read(
          at,
          step,
          Story.endpoint(),
          new LargeBody.PieceListener() {
            @Override
            public void piece(ByteBuffer bytes) {
              var copy = new byte[bytes.remaining()];
              bytes.get(copy);
              out.writeBytes(copy);
            }

            @Override
            public void failed(Throwable cause) {
              throw new AssertionError(cause);
            }
          });
      executors.settle();
    }
    return out.toByteArray();
  }
}
