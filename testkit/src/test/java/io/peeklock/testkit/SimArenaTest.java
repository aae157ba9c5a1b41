package io.peeklock.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Staging in memory keeps the rules of the real one, and counts what is not given back. */
class SimArenaTest {
  private final SimJournal journal = new SimJournal(new SimExecutor(new SimClock()));
  private final SimArena arena = (SimArena) journal.newArena();
  private final Endpoint writer = new AtOnce();
  private final List<LargeBody.@Nullable Staged> finished = new ArrayList<>();

  /** Does everything in place. */
  private static final class AtOnce extends Endpoint {
    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {}

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

  @AfterEach
  void nothingIsLeft() {
    assertThat(journal.leaks()).isZero();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  @Test
  void aLargeBodyIsStagedAsItWasAmended() {
    var large = arena.openLarge(100);
    large.write(bytes("0000 and "));
    large.write(bytes("more"));
    large.amend(1, bytes("123"));
    large.finish(writer, finished::add);
    arena.begin();
    arena.commit(requireNonNull(finished.getFirst()));
    var run = (SimArena.Run) arena.end();

    assertThat(large.isRefused()).isFalse();
    assertThat(run.bodies()).containsExactly("0123 and more".getBytes(UTF_8));
    assertThat(run.bytes()).isEqualTo(13);
    run.release();
  }

  @Test
  void whatFindsNoRoomIsToldAtOnceAndAtTheEnd() {
    journal.roomForLarges(5);
    var large = arena.openLarge(100);
    large.write(bytes("12345"));
    var before = large.isRefused();
    large.write(bytes("6"));
    large.write(bytes("7"));
    large.finish(writer, finished::add);

    assertThat(before).isFalse();
    assertThat(large.isRefused()).isTrue();
    assertThat(finished).singleElement().isNull();
  }

  @Test
  void whoeverWritesFasterThanTheDiskIsToldToStopAndToGoOn() {
    var told = new ArrayList<String>();
    var large = arena.openLarge(100);
    large.whenRoom(writer, () -> told.add("go on"));
    journal.holdLarges();
    large.write(bytes("much"));
    var high = large.backlogBytes();

    journal.letLargesGo();

    assertThat(high).isGreaterThan(1 << 20);
    assertThat(large.backlogBytes()).isZero();
    assertThat(told).containsExactly("go on");
    large.abort();
  }

  @Test
  void whatIsOverIsOver() {
    var unused = arena.openLarge(100);
    unused.abort(); // nothing was staged
    var large = arena.openLarge(100);
    large.write(bytes("some"));
    large.finish(writer, finished::add);
    var staged = requireNonNull(finished.getFirst());
    staged.release();
    large.abort();

    assertThat(staged.length()).isEqualTo(4);
    assertThatThrownBy(staged::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> large.write(bytes("more"))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void oneRunIsOpenAtATimeAndReservedBeforeItIsFilled() {
    assertThatThrownBy(arena::end).hasMessageContaining("no run");
    arena.begin();
    assertThatThrownBy(arena::begin).hasMessageContaining("a run is open");
    assertThatThrownBy(arena::commit).hasMessageContaining("nothing is reserved");
    arena.reserve(3).put(bytes("abc"));
    arena.commit();
    arena.reserve(3).put(bytes("d"));
    arena.commit();
    var run = (SimArena.Run) arena.end();
    run.keepOnly(new boolean[] {false, true});

    assertThat(run.bodies()).containsExactly("d".getBytes(UTF_8));
    run.release();
    assertThatThrownBy(run::release).isInstanceOf(IllegalStateException.class);
  }
}
