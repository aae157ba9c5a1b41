package io.peeklock.journal.blocks;

import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes bodies one after another into blocks. Used by one event loop. */
public final class Arena implements BodyArena {
  private static final int FIRST_ROOM = 64;

  private final BlockPool pool;
  private final StagingBudget budget;
  private final LargeStaging largeStaging;

  private @Nullable Block current;
  private @Nullable ByteBuffer view;
  private int used;
  private int reservedAt = -1;
  private int reservedBytes;

  private boolean open;
  private int count;
  private long runBytes;
  private int[] starts = new int[FIRST_ROOM];
  private int[] lengths = new int[FIRST_ROOM];
  private @Nullable StoredLarge @Nullable [] larges;
  private int blockCount;
  private Block[] blocks = new Block[4];
  private int[] firstOfBlock = new int[4];

  /**
   * An arena without a run.
   *
   * @param budget counts staged bytes, for all arenas
   */
  public Arena(BlockPool pool, StagingBudget budget, LargeStaging largeStaging) {
    this.pool = pool;
    this.budget = budget;
    this.largeStaging = largeStaging;
  }

  @Override
  public void begin() {
    if (open) {
      throw new IllegalStateException("a run is open already");
    }
    open = true;
    count = 0;
    runBytes = 0;
    blockCount = 0;
    larges = null;
  }

  @Override
  public ByteBuffer reserve(int maxBytes) {
    if (!open) {
      throw new IllegalStateException("no run is open");
    }
    if (maxBytes < 1 || maxBytes > LARGE_BODY_BYTES) {
      throw new IllegalArgumentException(
          "from 1 to " + LARGE_BODY_BYTES + " bytes can be reserved, not " + maxBytes);
    }
    var needed = BodyRun.CHECK_BYTES + maxBytes;
    var room = view;
    if (room == null || used + needed > room.capacity()) {
      room = nextBlock(needed);
    }
    reservedAt = used;
    reservedBytes = maxBytes;
    room.limit(used + needed).position(used + BodyRun.CHECK_BYTES);
    return room;
  }

  private ByteBuffer nextBlock(int bytes) {
    var last = current;
    current = null; // there may be no memory for another block
    view = null;
    if (last != null) {
      last.fill();
      last.release();
    }
    var next = pool.take(bytes);
    current = next;
    used = 0;
    var fresh = next.bytes.duplicate();
    view = fresh;
    return fresh;
  }

  @Override
  public void commit() {
    if (reservedAt < 0 || view == null || current == null) {
      throw new IllegalStateException("nothing is reserved");
    }
    var bytes = view.position() - reservedAt - BodyRun.CHECK_BYTES;
    if (bytes < 0 || bytes > reservedBytes) {
      throw new IllegalStateException("a body was written outside of its reservation");
    }
    makeRoom(); // nothing throws after this
    if (blockCount == 0 || blocks[blockCount - 1] != current) {
      join(current);
    }
    add(reservedAt, bytes);
    used = reservedAt + BodyRun.CHECK_BYTES + bytes;
    runBytes += BodyRun.CHECK_BYTES + bytes;
    budget.add(BodyRun.CHECK_BYTES + bytes);
    reservedAt = -1;
  }

  private void makeRoom() {
    if (blockCount == blocks.length) {
      firstOfBlock = Arrays.copyOf(firstOfBlock, 2 * blockCount);
      blocks = Arrays.copyOf(blocks, 2 * blockCount);
    }
    if (count == starts.length) {
      lengths = Arrays.copyOf(lengths, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
    }
  }

  private void join(Block block) {
    block.retain();
    blocks[blockCount] = block;
    firstOfBlock[blockCount++] = count;
  }

  private void add(int start, int length) {
    starts[count] = start;
    lengths[count++] = length;
  }

  @Override
  public void commit(LargeBody.Staged large) {
    if (!open) {
      throw new IllegalStateException("no run is open");
    }
    if (!(large instanceof StoredLarge stored)) {
      throw new IllegalArgumentException("a large body of another journal");
    }
    makeRoom();
    var known = larges;
    if (known == null || known.length <= count) {
      known = known == null ? new StoredLarge[count + 4] : Arrays.copyOf(known, 2 * count + 4);
      larges = known;
    }
    known[count] = stored;
    add(0, BodyRun.LARGE);
  }

  @Override
  public StagedBodies end() {
    if (!open) {
      throw new IllegalStateException("no run is open");
    }
    var known = larges;
    var run =
        new BodyRun(
            Arrays.copyOf(blocks, blockCount),
            Arrays.copyOf(firstOfBlock, blockCount),
            Arrays.copyOf(starts, count),
            Arrays.copyOf(lengths, count),
            known == null ? null : Arrays.copyOf(known, count),
            budget,
            runBytes);
    forget();
    return run;
  }

  private void forget() {
    open = false;
    reservedAt = -1;
    larges = null;
    blockCount = 0;
  }

  @Override
  public void drop() {
    if (!open) {
      return;
    }
    budget.giveBack(runBytes);
    for (var i = 0; i < blockCount; i++) {
      blocks[i].release();
    }
    forget();
  }

  @Override
  public LargeBody.Writer openLarge(long maxBytes) {
    return largeStaging.open(maxBytes);
  }

  @Override
  public long mostLargeBytes() {
    return largeStaging.mostBytes();
  }

  @Override
  public boolean hasRoom() {
    return budget.hasRoom();
  }
}
