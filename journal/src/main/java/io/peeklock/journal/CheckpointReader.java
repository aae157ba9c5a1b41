package io.peeklock.journal;

import io.peeklock.codec.FactCodec;
import io.peeklock.codec.UnreadableFact;
import io.peeklock.kernel.Fact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a checkpoint: first whether all of it is intact, then what it says. */
final class CheckpointReader implements AutoCloseable {
  private final SegmentReader reader;
  private final String file;
  private final long index;
  private long salt;

  /** Where the block about cold segments begins, once it was found; 0 for nowhere. */
  private long coldAt;

  /** What a checkpoint says, in order. */
  interface Content {
    /** The segments that were there: three numbers each. */
    void segments(long[] table);

    /** The cold segments that places name: four numbers each. Told before the parts. */
    void cold(long[] table) throws IOException;

    /** A part of the state. */
    void part(List<Fact> facts, long[] places, List<Large> larges) throws IOException;
  }

  /** A body with a file of its own. */
  record Large(long fileId, long length, int tableCheck) {}

  CheckpointReader(DiskFile from, String file, long index) throws IOException {
    this.reader = new SegmentReader(from);
    this.file = file;
    this.index = index;
  }

  /**
   * What is wrong with it and where; null when all of it is intact.
   *
   * @throws IOException when it cannot be read, or is of a newer format
   */
  @Nullable String damage() throws IOException {
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

  /** The payload of an intact block; -1 when none is here. */
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

  /** Tells what is in it; {@link #damage} has said that it is intact. */
  void read(Content content) throws IOException {
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
      throw new IOException(
          file + " at offset " + offset + ": " + unreadable.getMessage(), unreadable);
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
