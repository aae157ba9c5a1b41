package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.runtime.message.BodyRest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages of lists that are written while they are read. */
class FeedRestTest {
  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final List<String> written = new ArrayList<>();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private boolean ended;
  private String failure = "";
  private boolean broken;
  private boolean gone;
  private int asked;
  private int entryBytes = 100_000;

  private FeedRest<Integer> of(int count) {
    return new FeedRest<>(
        IntStream.range(0, count).boxed().toList(), new Feed(), entryBytes, loop::add);
  }

  private final class Feed implements FeedRest.Form<Integer> {
    @Override
    public void begin(AtomWriter out) {
      out.open("feed");
    }

    @Override
    public CompletableFuture<List<Documents.Entry>> make(List<Integer> some) {
      asked += some.size();
      if (gone) {
        return CompletableFuture.completedFuture(List.of());
      }
      return CompletableFuture.completedFuture(
          some.stream()
              .map(i -> new Documents.Entry("p" + i, "t" + i, 0L, 0, false, content -> {}))
              .toList());
    }

    @Override
    public void write(Documents.Entry entry, AtomWriter out) {
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
      written.add(entry.title());
      out.element("entry", "x".repeat(entryBytes));
    }
  }

  /** Until it has a piece, or has failed. */
  private void next(FeedRest<Integer> rest) {
    rest.next(listener);
    while (!loop.isEmpty()) {
      loop.remove().run();
    }
  }

  private final BodyRest.Listener listener =
      new BodyRest.Listener() {
        @Override
        public void piece(byte[] bytes, boolean last) {
          assertThat(bytes.length).isLessThanOrEqualTo(FeedRest.PIECE_BYTES);
          read.writeBytes(bytes);
          ended = last;
        }

        @Override
        public void failed(String reason) {
          failure = reason;
        }
      };

  @Test
  void noMoreIsWrittenThanIsTaken() {
    var rest = of(50);
    assertThat(asked).isZero();
    assertThat(rest.mostBytes()).isGreaterThan(2 * entryBytes);

    var turns = 0;
    while (!ended) {
      next(rest);
      turns++;
      assertThat(written.size() * 100_000L).isLessThan(read.size() + 200_000L);
    }

    assertThat(turns).isGreaterThan(50 * 100_000 / FeedRest.PIECE_BYTES);
    assertThat(read.toString(StandardCharsets.UTF_8))
        .startsWith("<feed><entry>x")
        .endsWith("x</entry></feed>")
        .hasSizeGreaterThan(50 * 100_000);
  }

  @Test
  void noMoreIsAskedForThanIsWrittenSoon() {
    entryBytes = 2_000;
    var rest = of(1_000);
    assertThat(rest.mostBytes()).isEqualTo(FeedRest.PIECE_BYTES);

    while (!ended) {
      next(rest);
      assertThat(asked - written.size()).isLessThan(17);
      assertThat(written.size() * 2_000L).isLessThan(read.size() + 40_000L);
    }

    assertThat(written).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void aShortPageIsOverAtOnceAndSoIsOneOfWhichAllIsGone() {
    next(of(0));
    assertThat(ended).isTrue();
    assertThat(read.toString(StandardCharsets.UTF_8)).isEqualTo("<feed></feed>");

    ended = false;
    read.reset();
    gone = true;
    var rest = of(40);
    while (!ended) {
      next(rest);
    }

    assertThat(asked).isEqualTo(40);
    assertThat(read.toString(StandardCharsets.UTF_8)).isEqualTo("<feed></feed>");
  }

  @Test
  void anEntryThatCannotBeWrittenEndsThePage() {
    var rest = of(3);
    next(rest);
    broken = true;

    while (failure.isEmpty() && !ended) {
      next(rest);
    }

    assertThat(ended).isFalse();
    assertThat(failure).isEqualTo("the list cannot be written");
  }
}
