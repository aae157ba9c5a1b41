package io.peeklock.journal.scan;

import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.log.FrameReader;
import io.peeklock.journal.log.OtherBuildException;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.kernel.fact.Fact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads all of a segment, also behind damage: frames are found again by the salt that each repeats.
 */
public final class SegmentScan implements BodyScan {
  private final FrameReader reader;
  private final long firstIndex;

  /** Receives the contents of a segment, in order. */
  public interface Visitor {
    /**
     * The head, if it is intact and belongs to the file.
     *
     * @param number of the segment; they count up by one
     * @param predecessor the last batch before it
     */
    default void head(long number, long predecessor) {}

    /** A batch whose facts are intact; the bodies may be damaged. */
    void batch(LoggedBatch batch) throws IOException;

    /** A watermark: everything up to this index was durable. */
    void watermark(long offset, long index) throws IOException;

    /** A damaged part; damaged bodies come with their batch. */
    void damage(long offset, long bytes, String what) throws IOException;
  }

  /**
   * Inspects a segment.
   *
   * @param file its name, for people
   * @param firstIndex the index that its name has
   */
  public SegmentScan(DiskFile from, String file, long firstIndex) throws IOException {
    this.reader = new FrameReader(from, file);
    this.firstIndex = firstIndex;
  }

  @Override
  public long bytes() {
    return reader.size();
  }

  /**
   * Looks at everything.
   *
   * @param withBodies whether to verify the bodies too
   * @param progress called with the number of further bytes read
   * @throws IOException when the file cannot be read, or is of a newer format
   */
  public void run(boolean withBodies, Visitor visitor, LongConsumer progress) throws IOException {
    var offset = Math.min(SegmentHead.BYTES, bytes());
    var salt = salt(visitor);
    progress.accept(offset);
    while (offset < bytes()) {
      var next = step(offset, salt, withBodies, visitor);
      progress.accept(next - offset);
      offset = next;
    }
  }

  private long salt(Visitor visitor) throws IOException {
    var head = reader.head();
    if (head == null) {
      visitor.damage(0, Math.min(SegmentHead.BYTES, bytes()), "the segment's head is damaged");
      return likelySalt();
    }
    if (head.firstIndex() != firstIndex) {
      visitor.damage(0, SegmentHead.BYTES, "the head belongs to a file of another name");
    } else {
      visitor.head(head.number(), head.predecessor());
    }
    return head.salt();
  }

  /**
   * The salt to use without a head: that of the frames that cover most of the file, as a frame that
   * a client hid in a body is smaller than the frame that has the body.
   */
  private long likelySalt() throws IOException {
    var covered = new HashMap<Long, Long>();
    var check = new CRC32C();
    for (var offset = 0L; reader.has(offset, Frame.BYTES); offset++) {
      var bytes = reader.at(offset, Frame.BYTES);
      var salt = bytes.getLong(8);
      var frame = Frame.read(bytes, 0, salt, check);
      if (frame != null) {
        covered.merge(salt, frame.bytes(), Long::sum);
      }
    }
    return covered.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(0L);
  }

  private long step(long offset, long salt, boolean withBodies, Visitor visitor)
      throws IOException {
    var frame = reader.frameAt(offset, salt);
    if (frame == null) {
      var next = reader.nextFrame(offset + 1, salt);
      visitor.damage(offset, next - offset, FrameReader.NO_FRAME);
      return next;
    }
    var damage = reader.damageOfFacts(frame, offset);
    if (damage != null) {
      var end = Math.min(bytes(), offset + frame.bytes());
      visitor.damage(offset, end - offset, damage);
      return end;
    }
    if (frame.isWatermark()) {
      visitor.watermark(offset, frame.index());
    } else {
      tell(frame, offset, withBodies, visitor);
    }
    return offset + frame.bytes();
  }

  private void tell(Frame frame, long offset, boolean withBodies, Visitor visitor)
      throws IOException {
    var head = reader.headOf(frame, offset);
    List<Fact> facts;
    try {
      facts = reader.facts(frame, head, offset);
    } catch (OtherBuildException unreadable) {
      visitor.damage(offset, frame.bytes(), unreadable.reason());
      return;
    }
    var lengths = FrameReader.lengths(frame, head);
    var larges = larges(frame, head);
    visitor.batch(
        new LoggedBatch(
            offset,
            frame.bytes(),
            frame.index(),
            frame.predecessor(),
            frame.term(),
            frame.timeMillis(),
            frame.durable(),
            frame.isMarked(),
            facts,
            frame.firstBodyId(),
            lengths,
            places(lengths, offset + frame.headBytes()),
            larges,
            withBodies ? reader.damagedBodies(frame, offset) : new long[0]));
  }

  private static long[] places(int[] lengths, long from) {
    var places = new long[lengths.length];
    var at = from;
    for (var i = 0; i < lengths.length; i++) {
      if (lengths[i] != Frame.LARGE) {
        places[i] = at;
        at += BodyRun.CHECK_BYTES + lengths[i];
      }
    }
    return places;
  }

  private static List<CheckpointReader.Large> larges(Frame frame, ByteBuffer head) {
    var larges = new ArrayList<CheckpointReader.Large>(frame.largeBodies());
    var at = Frame.BYTES + frame.factsBytes() + 4 * frame.bodies();
    for (var i = 0; i < frame.largeBodies(); i++) {
      larges.add(
          new CheckpointReader.Large(head.getLong(at), head.getLong(at + 8), head.getInt(at + 16)));
      at += Frame.LARGE_BYTES;
    }
    return larges;
  }

  @Override
  public @Nullable ByteBuffer body(long bodyId, long place, int length) throws IOException {
    return reader.isIntact(bodyId, place, length)
        ? reader.at(place + BodyRun.CHECK_BYTES, length)
        : null;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
