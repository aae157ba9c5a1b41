package io.peeklock.journal.log;

import io.peeklock.codec.FactCodec;
import io.peeklock.journal.blocks.BodyCheck;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.large.FileLarge;
import io.peeklock.runtime.thread.LogThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Encodes heads of frames one after another, to be written together. */
@LogThread
final class FrameEncoder {
  private static final int ROOM_BYTES = 64 * 1024;

  private final CRC32C check = new CRC32C();
  private final ByteBuffer room =
      ByteBuffer.allocateDirect(ROOM_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private int flags;

  void clear() {
    room.clear();
  }

  /** Sets the flags of all further frames. */
  void flags(int each) {
    flags = each;
  }

  /** Encodes the head of an entry; null when there is no room before the next {@link #clear}. */
  @Nullable ByteBuffer headOf(Entry entry, long salt, long durable) {
    var start = room.position();
    var behindFacts = bytesBehindFacts(entry);
    if (Frame.BYTES + behindFacts > room.remaining()) {
      return null;
    }
    room.position(start + Frame.BYTES).limit((int) (room.capacity() - behindFacts));
    var fits = FactCodec.encodeIfRoom(entry.batch.facts(), room);
    room.limit(room.capacity());
    if (!fits) {
      room.position(start);
      return null;
    }
    return frame(entry, salt, durable, room, start);
  }

  /** Encodes the head of an entry after all earlier heads are written, with more room if needed. */
  ByteBuffer freshHeadOf(Entry entry, long salt, long durable) throws IOException {
    clear();
    var needed = Frame.BYTES + FactCodec.bytes(entry.batch.facts()) + bytesBehindFacts(entry);
    if (needed > Integer.MAX_VALUE) {
      throw new IOException("a batch has " + needed + " bytes of facts; that is too many");
    }
    var out =
        needed <= room.remaining()
            ? room
            : ByteBuffer.allocateDirect((int) needed).order(ByteOrder.LITTLE_ENDIAN);
    var start = out.position();
    out.position(start + Frame.BYTES);
    FactCodec.encode(entry.batch.facts(), out);
    return frame(entry, salt, durable, out, start);
  }

  private static long bytesBehindFacts(Entry entry) {
    return 4L * entry.bodies + (long) Frame.LARGE_BYTES * entry.largeBodies + Frame.CHECK_BYTES;
  }

  /** Makes a frame of the facts that are written up to the buffer's position. */
  private ByteBuffer frame(Entry entry, long salt, long durable, ByteBuffer out, int start) {
    var factsBytes = out.position() - start - Frame.BYTES;
    checkBodies(entry);
    writeTable(entry, out);
    var batch = entry.batch;
    new Frame(
            flags,
            factsBytes,
            entry.bodies,
            entry.largeBodies,
            entry.bodyBytes,
            batch.term(),
            batch.index(),
            batch.predecessor(),
            batch.timeMillis(),
            durable,
            batch.firstBodyId())
        .write(out, start, salt, check);
    return seal(out, start);
  }

  ByteBuffer bare(Frame frame, long salt) {
    frame.write(room, 0, salt, check);
    room.position(Frame.BYTES);
    return seal(room, 0);
  }

  private ByteBuffer seal(ByteBuffer out, int start) {
    out.putInt(Frame.checkOf(check, out, start, out.position() - start));
    return out.slice(start, out.position() - start);
  }

  private void checkBodies(Entry entry) {
    var bodyId = entry.batch.firstBodyId();
    for (var run : entry.runs) {
      for (var i = 0; i < run.count(); i++) {
        if (run.length(i) >= 0) {
          var view = run.block(i).logView;
          var from = run.start(i) + BodyRun.CHECK_BYTES;
          view.limit(from + run.length(i)).position(from);
          var sum = BodyCheck.of(check, bodyId, view);
          view.clear();
          view.putInt(run.start(i), sum);
        }
        bodyId++;
      }
    }
  }

  private static void writeTable(Entry entry, ByteBuffer out) {
    for (var run : entry.runs) {
      for (var i = 0; i < run.count(); i++) {
        out.putInt(run.length(i) == BodyRun.LARGE ? Frame.LARGE : run.length(i));
      }
    }
    if (entry.largeBodies > 0) {
      for (var run : entry.runs) {
        for (var i = 0; i < run.count(); i++) {
          if (run.length(i) == BodyRun.LARGE && run.large(i) instanceof FileLarge large) {
            out.putLong(large.fileId()).putLong(large.length()).putInt(large.tableCheck());
          }
        }
      }
    }
  }
}
