package io.peeklock.journal.checkpoint;

import io.peeklock.codec.FactCodec;
import io.peeklock.codec.UnreadableFact;
import io.peeklock.journal.bodies.CheckpointBodies;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.log.OtherBuildException;
import io.peeklock.journal.log.SegmentReader;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.ColdSegments;
import io.peeklock.kernel.fact.Fact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a checkpoint: first verifies all of it, then reads its contents. */
public final class CheckpointReader implements AutoCloseable {
  /** A location that means that the body died meanwhile. */
  public static final long GONE = BodyLocations.NONE;

  /** A location that means that the body has its own file, the next of {@code larges}. */
  public static final long LARGE = BodyLocations.LARGE;

  private final SegmentReader reader;
  private final String file;
  private final long index;
  private long salt;

  /** The offset of the block about cold segments, once it was found; 0 for none. */
  private long coldAt;

  /** Receives the contents of a checkpoint, in order. */
  public interface Content {
    /** The segments that were there: number, first index and first body id of each. */
    void segments(long[] table) throws IOException;

    /** The cold segments that locations name, see {@link Cold#in}; comes before the parts. */
    void cold(long[] table) throws IOException;

    /** A part of the state. */
    void part(List<Fact> facts, long[] places, List<Large> larges) throws IOException;
  }

  /** The entry of a body with its own file. */
  public record Large(long fileId, long length, int tableCheck) {}

  /**
   * The entry of a cold segment.
   *
   * @param slot the slot by which locations name it
   * @param bytes the least size that its file must have
   */
  public record Cold(int slot, long number, long bytes, long salt) {
    /** The entries of a table. */
    public static List<Cold> in(long[] table) {
      var all = new ArrayList<Cold>();
      for (var i = 0; i < table.length; i += ColdSegments.COLUMNS) {
        all.add(new Cold((int) table[i], table[i + 1], table[i + 2], table[i + 3]));
      }
      return all;
    }

    /** The name of its file. */
    public String file() {
      return ColdSegment.nameOf(number);
    }
  }

  /** The bodies that facts of a checkpoint name, in the order of their locations. */
  public static long[] bodiesIn(List<Fact> facts) {
    return CheckpointBodies.idsIn(facts);
  }

  /** Whether a location, which is neither of the two above, is in a cold segment. */
  public static boolean isCold(long place) {
    return BodyLocations.isCold(place);
  }

  /** The slot of the cold segment of a location. */
  public static int slot(long place) {
    return BodyLocations.slot(place);
  }

  /** The offset of a body in its file, which begins with its checksum. */
  public static long offset(long place) {
    return BodyLocations.offset(place);
  }

  /** The bytes of the body at a location. */
  public static int length(long place) {
    return BodyLocations.length(place);
  }

  /**
   * Reads a file.
   *
   * @param file its name, for people
   * @param index the index that its name has
   */
  public CheckpointReader(DiskFile from, String file, long index) throws IOException {
    this.reader = new SegmentReader(from);
    this.file = file;
    this.index = index;
  }

  /**
   * The damage and its place, in words; null when the file is intact.
   *
   * @throws IOException when it cannot be read, or is of a newer format
   */
  public @Nullable String damage() throws IOException {
    var head = reader.has(0, CheckpointFile.HEAD_BYTES) ? headSalt() : null;
    if (head == null) {
      return "its head is damaged at offset 0";
    }
    salt = head;
    var offset = (long) CheckpointFile.HEAD_BYTES;
    for (var blocks = 0L; ; blocks++) {
      var payload = payloadAt(offset);
      if (payload < 0) {
        return "the block at offset " + offset + " is damaged";
      }
      var block = reader.at(offset, CheckpointFile.FRONT_BYTES + payload);
      if (CheckpointFile.kindIn(block) == CheckpointFile.END) {
        return endAt(block, offset, payload, blocks);
      }
      if (CheckpointFile.kindIn(block) == CheckpointFile.COLD) {
        coldAt = offset;
      }
      offset += CheckpointFile.FRONT_BYTES + payload;
    }
  }

  private @Nullable String endAt(ByteBuffer block, long offset, int payload, long blocks) {
    if (payload != Long.BYTES || block.getLong(CheckpointFile.FRONT_BYTES) != blocks) {
      return "blocks are missing before offset " + offset;
    }
    return reader.size() == offset + CheckpointFile.FRONT_BYTES + payload
        ? null
        : "there is more behind its end at offset " + offset;
  }

  private @Nullable Long headSalt() throws IOException {
    var head = reader.at(0, CheckpointFile.HEAD_BYTES);
    var found = CheckpointFile.saltIn(head, index);
    var version = CheckpointFile.versionIn(head);
    if (found != null
        && (version < CheckpointFile.OLDEST_VERSION || version > CheckpointFile.VERSION)) {
      throw new IOException(
          file
              + " has format "
              + version
              + ", this version of Peeklock reads formats up to "
              + CheckpointFile.VERSION
              + "; use the newer version that wrote it");
    }
    return found;
  }

  /** The payload of an intact block; -1 when there is none. */
  private int payloadAt(long offset) throws IOException {
    if (!reader.has(offset, CheckpointFile.FRONT_BYTES)) {
      return -1;
    }
    var payload = CheckpointFile.payloadIn(reader.at(offset, CheckpointFile.FRONT_BYTES), salt);
    if (payload < 0 || !reader.has(offset, (long) CheckpointFile.FRONT_BYTES + payload)) {
      return -1;
    }
    var block = reader.at(offset, CheckpointFile.FRONT_BYTES + payload);
    return CheckpointFile.isIntact(block, payload) ? payload : -1;
  }

  /** The cold segments that locations name; only after {@link #damage} returned null. */
  public List<Cold> coldSegments() throws IOException {
    return coldAt > 0 ? Cold.in(payloadOf(coldAt)) : List.of();
  }

  /** Reads the contents; only after {@link #damage} returned null. */
  public void read(Content content) throws IOException {
    if (coldAt > 0) {
      content.cold(payloadOf(coldAt));
    }
    var offset = (long) CheckpointFile.HEAD_BYTES;
    while (true) {
      var front = reader.at(offset, CheckpointFile.FRONT_BYTES);
      var kind = CheckpointFile.kindIn(front);
      var payload = CheckpointFile.payloadIn(front, salt);
      if (kind == CheckpointFile.END) {
        return;
      }
      var bytes = reader.at(offset + CheckpointFile.FRONT_BYTES, payload);
      if (kind == CheckpointFile.SEGMENTS) {
        content.segments(longs(bytes, payload / Long.BYTES));
      } else if (kind == CheckpointFile.PART) {
        part(bytes, offset, content);
      }
      offset += CheckpointFile.FRONT_BYTES + payload;
    }
  }

  private long[] payloadOf(long offset) throws IOException {
    var front = reader.at(offset, CheckpointFile.FRONT_BYTES);
    var payload = CheckpointFile.payloadIn(front, salt);
    return longs(reader.at(offset + CheckpointFile.FRONT_BYTES, payload), payload / Long.BYTES);
  }

  private void part(ByteBuffer bytes, long offset, Content content) throws IOException {
    var factsBytes = bytes.getInt();
    List<Fact> facts;
    try {
      facts = FactCodec.decodeAll(bytes.slice(bytes.position(), factsBytes));
    } catch (UnreadableFact unreadable) {
      throw new OtherBuildException(file + " at offset " + offset, unreadable);
    }
    bytes.position(bytes.position() + factsBytes);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    var places = longs(bytes, bytes.getInt());
    var larges = new ArrayList<Large>();
    for (var left = bytes.getInt(); left > 0; left--) {
      larges.add(new Large(bytes.getLong(), bytes.getLong(), bytes.getInt()));
    }
    content.part(facts, places, larges);
  }

  private static long[] longs(ByteBuffer bytes, int count) {
    var all = new long[count];
    for (var i = 0; i < count; i++) {
      all[i] = bytes.getLong();
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
