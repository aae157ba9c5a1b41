package io.peeklock.journal;

import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Large bodies in memory, a block after the other, under the bound of all bodies. */
final class MemoryLarges implements LargeStaging {
  private final BlockPool pool;
  private final long boundBytes;

  MemoryLarges(BlockPool pool, long boundBytes) {
    this.pool = pool;
    this.boundBytes = boundBytes;
  }

  @Override
  public LargeBody.Writer open(long maxBytes) {
    return new Writer(maxBytes);
  }

  private final class Writer implements LargeBody.Writer {
    private final long maxBytes;
    private final List<Block> blocks = new ArrayList<>();
    private @Nullable ByteBuffer view;
    private long taken;
    private boolean refused;
    private boolean ended;

    Writer(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    @Override
    public void write(ByteBuffer bytes) {
      if (ended) {
        throw new IllegalStateException("this body was ended");
      }
      taken += bytes.remaining();
      while (bytes.hasRemaining()) {
        var into = room();
        if (into == null) {
          bytes.position(bytes.limit());
          return;
        }
        var part = Math.min(into.remaining(), bytes.remaining());
        into.put(bytes.slice(bytes.position(), part));
        bytes.position(bytes.position() + part);
      }
    }

    private @Nullable ByteBuffer room() {
      var into = view;
      if (into != null && into.hasRemaining() && taken <= maxBytes) {
        return into;
      }
      if (refused || taken > maxBytes || pool.heldBytes() >= boundBytes) {
        drop();
        return null;
      }
      var block = pool.take(BlockPool.BLOCK_BYTES);
      blocks.add(block);
      into = block.bytes.duplicate().limit(BlockPool.BLOCK_BYTES);
      view = into;
      return into;
    }

    private void drop() {
      refused = true;
      view = null;
      blocks.forEach(Block::release);
      blocks.clear();
    }

    @Override
    public void amend(int position, ByteBuffer bytes) {
      var last = position + bytes.remaining();
      if (ended || position < 0 || last > Math.min(taken, BlockPool.BLOCK_BYTES)) {
        throw new IllegalArgumentException("only what was taken among the first can be amended");
      }
      if (!refused) {
        blocks.getFirst().bytes.put(position, bytes, bytes.position(), bytes.remaining());
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
    public void whenRoom(Endpoint endpoint, Runnable listener) {
      // The backlog is never high here.
    }

    @Override
    public void finish(Endpoint endpoint, Consumer<LargeBody.@Nullable Staged> done) {
      ended = true;
      var stored = refused ? null : new Stored(taken, List.copyOf(blocks));
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

    Stored(long length, List<Block> blocks) {
      super(length);
      this.blocks = blocks;
    }

    @Override
    void logged() {
      // Staged or not, it lies in the same memory.
    }

    @Override
    void remove() {
      blocks.forEach(Block::release);
    }

    @Override
    LargeBody pin() {
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
    public void read(long position, int bytes, Endpoint reader, PieceListener whenRead) {
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
