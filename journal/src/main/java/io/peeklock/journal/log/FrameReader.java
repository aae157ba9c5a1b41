package io.peeklock.journal.log;

import io.peeklock.codec.FactCodec;
import io.peeklock.codec.UnreadableFact;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.BodyArena;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of one segment, and describes what is wrong with a frame that is not intact.
 * {@code Recovery} and {@code SegmentScan} judge what that means for the log.
 */
public final class FrameReader implements Closeable {
  public static final String NO_FRAME = "no intact frame is here";
  private static final int STEP_BYTES = 32 * 1024;

  private final SegmentReader reader;
  private final String file;
  private final CRC32C check = new CRC32C();

  /**
   * A reader of a segment.
   *
   * @param file its name, for people
   */
  public FrameReader(DiskFile from, String file) throws IOException {
    this.reader = new SegmentReader(from);
    this.file = file;
  }

  public long size() {
    return reader.size();
  }

  public DiskFile file() {
    return reader.file();
  }

  /** Whether the file has this many bytes at an offset. */
  public boolean has(long offset, long bytes) {
    return reader.has(offset, bytes);
  }

  /** See {@link SegmentReader#at}. */
  public ByteBuffer at(long offset, int bytes) throws IOException {
    return reader.at(offset, bytes);
  }

  /** The segment's head; null when it is damaged or incomplete. */
  public @Nullable SegmentHead head() throws IOException {
    return has(0, SegmentHead.BYTES) ? SegmentHead.read(at(0, SegmentHead.BYTES), file) : null;
  }

  /**
   * The front of a frame; null when there is no intact front of this segment.
   *
   * @throws IOException when it is intact and of a newer version
   */
  public @Nullable Frame frameAt(long offset, long salt) throws IOException {
    if (!has(offset, Frame.BYTES)) {
      return null;
    }
    var bytes = at(offset, Frame.BYTES);
    var frame = Frame.read(bytes, 0, salt, check);
    if (frame != null && Frame.version(bytes, 0) != Frame.VERSION) {
      throw new IOException(
          file
              + " at offset "
              + offset
              + " has frames of format "
              + Frame.version(bytes, 0)
              + "; use the newer version of Peeklock that wrote it");
    }
    return frame;
  }

  /** What is wrong with a frame whose front is intact; null for nothing. */
  public @Nullable String damageOf(Frame frame, long offset, boolean withBodies)
      throws IOException {
    var damage = damageOfFacts(frame, offset);
    if (damage != null || !withBodies) {
      return damage;
    }
    var bad = damagedBodies(frame, offset);
    return bad.length == 0 ? null : "body " + bad[0] + " fails its checksum";
  }

  /** The same without reading the bodies. */
  public @Nullable String damageOfFacts(Frame frame, long offset) throws IOException {
    if (!has(offset, frame.bytes())) {
      return "the file ends within a batch";
    }
    var checked = (int) frame.headBytes() - Frame.CHECK_BYTES;
    var head = at(offset, checked + Frame.CHECK_BYTES);
    if (head.getInt(checked) != Frame.checkOf(check, head, 0, checked)) {
      return "a batch's facts fail their checksum";
    }
    return fits(frame, lengths(frame, head)) ? null : "a batch's bodies do not fit their frame";
  }

  /** Everything of a frame before its bodies; its facts must be intact. */
  public ByteBuffer headOf(Frame frame, long offset) throws IOException {
    return at(offset, (int) frame.headBytes());
  }

  /** Bytes of each body, {@link Frame#LARGE} where large. */
  public static int[] lengths(Frame frame, ByteBuffer head) {
    var lengths = new int[frame.bodies()];
    var table = Frame.BYTES + frame.factsBytes();
    for (var i = 0; i < lengths.length; i++) {
      lengths[i] = head.getInt(table + 4 * i);
    }
    return lengths;
  }

  private static boolean fits(Frame frame, int[] lengths) {
    var large = 0;
    var bytes = 0L;
    for (var length : lengths) {
      if (length == Frame.LARGE) {
        large++;
      } else if (length < 0 || length > BodyArena.LARGE_BODY_BYTES) {
        return false;
      } else {
        bytes += BodyRun.CHECK_BYTES + length;
      }
    }
    return large == frame.largeBodies() && bytes == frame.bodyBytes();
  }

  /** Ids of the bodies in a frame that fail their checksums; its facts must be intact. */
  public long[] damagedBodies(Frame frame, long offset) throws IOException {
    var bad = new long[0];
    var at = offset + frame.headBytes();
    var bodyId = frame.firstBodyId();
    for (var length : lengths(frame, headOf(frame, offset))) {
      if (length != Frame.LARGE) {
        if (!isIntact(bodyId, at, length)) {
          bad = Arrays.copyOf(bad, bad.length + 1);
          bad[bad.length - 1] = bodyId;
        }
        at += BodyRun.CHECK_BYTES + length;
      }
      bodyId++;
    }
    return bad;
  }

  /** Whether this body is at the offset, as it was written. */
  public boolean isIntact(long bodyId, long offset, int length) throws IOException {
    return reader.hasBody(bodyId, offset, length);
  }

  /** The highest durable index in any intact front from an offset on. */
  public long highestBehind(long from, long salt) throws IOException {
    var highest = 0L;
    for (var offset = from; has(offset, Frame.BYTES); offset++) {
      var bytes = at(offset, Frame.BYTES);
      if (Frame.looksLikeOne(bytes, 0, salt)) {
        var frame = Frame.read(bytes, 0, salt, check);
        highest = frame == null ? highest : Math.max(highest, frame.durable());
      }
    }
    return highest;
  }

  /** The offset of the next intact front of a frame, from an offset on; the file's end for none. */
  public long nextFrame(long from, long salt) throws IOException {
    for (var offset = from; has(offset, Frame.BYTES); offset++) {
      var bytes = at(offset, Frame.BYTES);
      if (Frame.looksLikeOne(bytes, 0, salt) && Frame.read(bytes, 0, salt, check) != null) {
        return offset;
      }
    }
    return size();
  }

  /** The offset of the last intact front of a frame, searched from the end; -1 for none. */
  public long lastFrame(long salt) throws IOException {
    var to = size() - Frame.BYTES;
    while (to >= SegmentHead.BYTES) {
      var from = Math.max(SegmentHead.BYTES, to - STEP_BYTES);
      var bytes = at(from, (int) (to - from) + Frame.BYTES);
      for (var i = (int) (to - from); i >= 0; i--) {
        if (Frame.looksLikeOne(bytes, i, salt) && Frame.read(bytes, i, salt, check) != null) {
          return from + i;
        }
      }
      to = from - 1;
    }
    return -1;
  }

  /** The facts of a frame. */
  public List<Fact> facts(Frame frame, ByteBuffer head, long offset) throws IOException {
    try {
      return FactCodec.decodeAll(head.slice(Frame.BYTES, frame.factsBytes()));
    } catch (UnreadableFact unreadable) {
      throw new OtherBuildException(file + " at offset " + offset, unreadable);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
