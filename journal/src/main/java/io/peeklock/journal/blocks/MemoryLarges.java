package io.peeklock.journal.blocks;

import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.intake.PieceOwner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Large bodies in memory, in blocks, within the limit of all bodies. */
public final class MemoryLarges implements LargeStaging {
  /**
   * The sixteenths of the memory above which no more is staged: the rest is for small bodies of
   * others.
   */
  private static final int MOST_PARTS = 13;

  private final BlockPool pool;
  private final long boundBytes;
  private final StagingBudget staged;

  /**
   * None yet.
   *
   * @param boundBytes the memory for all bodies
   * @param staged the budget that blocks are charged to until their body is appended
   */
  public MemoryLarges(BlockPool pool, long boundBytes, StagingBudget staged) {
    this.pool = pool;
    this.boundBytes = boundBytes / 16 * MOST_PARTS;
    this.staged = staged;
  }

  @Override
  public LargeBody.Writer open(long maxBytes) {
    return new Writer(maxBytes);
  }

  @Override
  public long mostBytes() {
    return staged.boundBytes();
  }

  private final class Writer implements LargeBody.Writer {
    private final long maxBytes;
    private final OpenPiece piece = new OpenPiece(pool, staged);
    private final List<Block> blocks = new ArrayList<>();
    private final SlowBody slow = new SlowBody(staged, this::drop);
    private long taken;
    private boolean refused;
    private boolean ended;

    Writer(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    @Override
    public void givesWay(PieceOwner owner) {
      slow.belongsTo(owner);
    }

    @Override
    public void write(ByteBuffer bytes) {
      if (ended) {
        throw new IllegalStateException("this body was ended");
      }
      var count = bytes.remaining();
      taken += count;
      while (bytes.hasRemaining()) {
        if (refused || taken > maxBytes || !hasRoom() || !piece.put(bytes)) {
          drop();
          bytes.position(bytes.limit());
          return;
        }
        if (piece.isWhole()) {
          keep();
        }
      }
      slow.came(count, (long) blocks.size() * BlockPool.BLOCK_BYTES + piece.heldBytes());
    }

    /** Whether a body may take another block; a block that is begun may always be filled. */
    private boolean hasRoom() {
      var begun = piece.view();
      return (begun != null && begun.hasRemaining()) || pool.heldBytes() < boundBytes;
    }

    private void keep() {
      var sealed = piece.seal();
      if (sealed != null && sealed.block() != null) {
        blocks.add(sealed.block());
      }
    }

    private void drop() {
      refused = true;
      slow.close();
      piece.drop();
      blocks.forEach(Block::release);
      staged.giveBack((long) blocks.size() * BlockPool.BLOCK_BYTES);
      blocks.clear();
    }

    @Override
    public void amend(int position, ByteBuffer bytes) {
      var last = position + bytes.remaining();
      if (ended || position < 0 || last > Math.min(taken, BlockPool.BLOCK_BYTES)) {
        throw new IllegalArgumentException("only what was taken among the first can be amended");
      }
      var first = blocks.isEmpty() ? piece.view() : blocks.getFirst().bytes;
      if (!refused && first != null) {
        first.put(position, bytes, bytes.position(), bytes.remaining());
      }
    }

    @Override
    public boolean isRefused() {
      return refused;
    }

    @Override
    public long backlogBytes() {
      return 0;
    }

    @Override
    public void whenRoom(Executor endpoint, Runnable listener) {
      // The backlog is never high here.
    }

    @Override
    public void finish(Executor endpoint, Consumer<LargeBody.@Nullable Staged> done) {
      ended = true;
      slow.close();
      var isWhole = false;
      try {
        isWhole = !refused && piece.intoBlock();
      } finally {
        if (!isWhole) {
          drop();
        }
      }
      keep();
      var stored = refused ? null : new Stored(taken, List.copyOf(blocks), staged);
      endpoint.execute(() -> done.accept(stored));
    }

    @Override
    public void abort() {
      if (!ended) {
        ended = true;
        drop();
      }
    }
  }

  private static final class Stored extends StoredLarge {
    private final List<Block> blocks;
    private final StagingBudget staged;
    private final AtomicBoolean logged = new AtomicBoolean();

    Stored(long length, List<Block> blocks, StagingBudget staged) {
      super(length);
      this.blocks = blocks;
      this.staged = staged;
    }

    @Override
    public void logged() {
      if (logged.compareAndSet(false, true)) {
        staged.giveBack((long) blocks.size() * BlockPool.BLOCK_BYTES);
      }
    }

    @Override
    public void remove() {
      logged();
      blocks.forEach(Block::release);
    }

    @Override
    public LargeBody pin() {
      retain();
      return new Reader(this);
    }
  }

  private static final class Reader implements LargeBody {
    private final Stored body;
    private final AtomicBoolean released = new AtomicBoolean();

    Reader(Stored body) {
      this.body = body;
    }

    @Override
    public long length() {
      return body.length();
    }

    @Override
    public void read(long position, int bytes, Executor reader, PieceListener whenRead) {
      if (position < 0 || position > length() || bytes < 0 || bytes > BlockPool.BLOCK_BYTES) {
        throw new IllegalArgumentException("a piece is up to 256 KiB of the body");
      }
      var wanted = (int) Math.min(bytes, length() - position);
      body.retain();
      reader.execute(
          () -> {
            try {
              whenRead.piece(piece(position, wanted));
            } finally {
              body.release();
            }
          });
    }

    private ByteBuffer piece(long position, int wanted) {
      var first = (int) (position / BlockPool.BLOCK_BYTES);
      var from = (int) (position % BlockPool.BLOCK_BYTES);
      if (wanted == 0) {
        return ByteBuffer.allocate(0);
      }
      if (from + wanted <= BlockPool.BLOCK_BYTES) {
        return body.blocks.get(first).bytes.slice(from, wanted);
      }
      var both = ByteBuffer.allocate(wanted);
      var before = BlockPool.BLOCK_BYTES - from;
      both.put(body.blocks.get(first).bytes.slice(from, before));
      both.put(body.blocks.get(first + 1).bytes.slice(0, wanted - before));
      return both.flip();
    }

    @Override
    public void release() {
      if (released.compareAndSet(false, true)) {
        body.release();
      }
    }
  }
}
