package io.peeklock.testkit;

import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stages bodies on the heap. Counts what was never given back. */
final class SimArena implements BodyArena {
  private final SimJournal journal;
  private @Nullable Run run;
  private @Nullable ByteBuffer reserved;

  SimArena(SimJournal journal) {
    this.journal = journal;
  }

  /** Bodies as plain byte arrays. */
  static final class Run implements StagedBodies {
    private final SimJournal journal;
    private final List<byte[]> bodies = new ArrayList<>();
    private final Map<Integer, HeapStaged> larges = new LinkedHashMap<>();
    private boolean released;

    Run(SimJournal journal) {
      this.journal = journal;
      journal.stagedRuns++;
    }

    List<byte[]> bodies() {
      return bodies;
    }

    @Override
    public int count() {
      return bodies.size();
    }

    @Override
    public long bytes() {
      return bodies.stream().mapToLong(body -> body.length).sum();
    }

    @Override
    public void keepOnly(boolean[] kept) {
      for (var i = bodies.size() - 1; i >= 0; i--) {
        if (!kept[i]) {
          bodies.remove(i);
        }
      }
    }

    @Override
    public void release() {
      if (released) {
        throw new IllegalStateException("staged bodies are released once");
      }
      released = true;
      journal.stagedRuns--;
    }
  }

  /** A large body, gathered on the heap. Counted as staged from its first byte to its end. */
  private static final class HeapWriter implements LargeBody.Writer {
    private final SimJournal journal;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean begun;
    private boolean ended;
    private boolean refused;

    HeapWriter(SimJournal journal) {
      this.journal = journal;
    }

    @Override
    public void write(ByteBuffer piece) {
      var copy = new byte[piece.remaining()];
      piece.get(copy);
      if (ended) {
        throw new IllegalStateException("this body was ended");
      }
      if (!begun) {
        begun = true;
        journal.stagedRuns++;
      }
      refused |= bytes.size() + copy.length > journal.largeStagedBytes;
      if (!refused) {
        bytes.writeBytes(copy);
      }
    }

    @Override
    public void amend(int position, ByteBuffer amended) {
      var all = bytes.toByteArray();
      amended.get(all, position, amended.remaining());
      bytes.reset();
      bytes.writeBytes(all);
    }

    @Override
    public boolean isRefused() {
      return refused;
    }

    @Override
    public long backlogBytes() {
      return journal.largeBacklogBytes;
    }

    @Override
    public void whenRoom(Executor endpoint, Runnable listener) {
      journal.whenLargesHaveRoom = () -> endpoint.execute(listener);
    }

    @Override
    public void finish(Executor endpoint, Consumer<LargeBody.@Nullable Staged> done) {
      end();
      var staged = refused ? null : new HeapStaged(journal, bytes.toByteArray());
      endpoint.execute(() -> done.accept(staged));
    }

    @Override
    public void abort() {
      end();
    }

    private void end() {
      if (begun && !ended) {
        journal.stagedRuns--;
      }
      ended = true;
    }
  }

  /** Counted as staged until somebody takes it or gives it back. */
  private static final class HeapStaged implements LargeBody.Staged {
    private final SimJournal journal;
    private final byte[] body;
    private boolean over;

    HeapStaged(SimJournal journal, byte[] body) {
      this.journal = journal;
      this.body = body;
      journal.stagedRuns++;
    }

    @Override
    public long length() {
      return body.length;
    }

    @Override
    public void release() {
      if (over) {
        throw new IllegalStateException("a staged body is taken or released once");
      }
      over = true;
      journal.stagedRuns--;
    }
  }

  @Override
  public void begin() {
    if (run != null) {
      throw new IllegalStateException("a run is open");
    }
    run = new Run(journal);
  }

  private Run open() {
    if (run == null) {
      throw new IllegalStateException("no run is open");
    }
    return run;
  }

  @Override
  public ByteBuffer reserve(int maxBytes) {
    open();
    reserved = ByteBuffer.allocateDirect(maxBytes);
    return reserved;
  }

  @Override
  public void commit() {
    var buffer = reserved;
    if (buffer == null) {
      throw new IllegalStateException("nothing is reserved");
    }
    buffer.flip();
    var body = new byte[buffer.remaining()];
    buffer.get(body);
    open().bodies.add(body);
    reserved = null;
  }

  @Override
  public void commit(LargeBody.Staged large) {
    var to = open();
    var staged = (HeapStaged) large;
    to.larges.put(to.bodies.size(), staged);
    to.bodies.add(staged.body);
  }

  @Override
  public StagedBodies end() {
    var ended = open();
    run = null;
    ended.larges.values().forEach(HeapStaged::release);
    ended.larges.clear();
    return ended;
  }

  @Override
  public void drop() {
    if (run != null) {
      run.release();
      run = null;
      reserved = null;
    }
  }

  @Override
  public LargeBody.Writer openLarge(long maxBytes) {
    return new HeapWriter(journal);
  }

  @Override
  public long mostLargeBytes() {
    return journal.largeStagedBytes;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }
}
