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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages of lists that are written while they are read. */
class FeedRestTest {
  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final AtomWriter out = new AtomWriter().open("feed");
  private final List<String> written = new ArrayList<>();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private boolean ended;
  private String failure = "";
  private boolean broken;

  private FeedRest of(int count) {
    var entries =
        IntStream.range(0, count)
            .mapToObj(i -> new Documents.Entry("p" + i, "t" + i, 0, 0, false, content -> {}))
            .toList();
    return new FeedRest(out, entries.iterator(), this::write, loop::add);
  }

  private void write(Documents.Entry entry) {
    if (broken) {
      throw new IllegalStateException("on purpose");
    }
    written.add(entry.title());
    out.element("entry", "x".repeat(100_000));
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
    read.writeBytes(rest.read());
    assertThat(written).hasSize(1);

    var turns = 0;
    while (!ended) {
      rest.next(listener);
      loop.remove().run();
      turns++;
      assertThat(written.size() * 100_000L).isLessThan(read.size() + 200_000L);
    }

    assertThat(rest.isOver()).isTrue();
    assertThat(turns).isGreaterThan(50 * 100_000 / FeedRest.PIECE_BYTES);
    assertThat(read.toString(StandardCharsets.UTF_8))
        .startsWith("<feed><entry>x")
        .endsWith("x</entry></feed>")
        .hasSizeGreaterThan(50 * 100_000);
  }

  @Test
  void aShortPageIsOverAtOnce() {
    var rest = of(0);

    assertThat(new String(rest.read(), StandardCharsets.UTF_8)).isEqualTo("<feed></feed>");
    assertThat(rest.isOver()).isTrue();
  }

  @Test
  void anEntryThatCannotBeWrittenEndsThePage() {
    var rest = of(3);
    read.writeBytes(rest.read());
    broken = true;

    while (failure.isEmpty() && !ended) {
      rest.next(listener);
      loop.remove().run();
    }

    assertThat(ended).isFalse();
    assertThat(failure).isEqualTo("the list cannot be written");
  }
}
