package io.peeklock.journal.scan;

import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.log.ColdHead;
import io.peeklock.journal.log.SegmentReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Inspects a cold segment. Only checkpoints record which bodies are in it; by itself it shows only
 * its head.
 */
public final class ColdScan implements BodyScan {
  private final SegmentReader reader;
  private final String file;
  private final long number;

  /**
   * What is wrong with it as a whole.
   *
   * @param offset where
   */
  public record Damage(long offset, String what) {}

  /**
   * Inspects a file.
   *
   * @param file its name, for people
   * @param number the number that its name has
   */
  public ColdScan(DiskFile from, String file, long number) throws IOException {
    this.reader = new SegmentReader(from);
    this.file = file;
    this.number = number;
  }

  @Override
  public long bytes() {
    return reader.size();
  }

  /**
   * The damage of the file as a whole; null for none.
   *
   * @param named the entry of a checkpoint; null when none names the file
   * @throws IOException when it cannot be read, or is of a newer format
   */
  public @Nullable Damage damage(CheckpointReader.@Nullable Cold named) throws IOException {
    var head =
        reader.has(0, ColdHead.BYTES) ? ColdHead.read(reader.at(0, ColdHead.BYTES), file) : null;
    if (head == null) {
      return new Damage(0, "its head fails its checksum");
    }
    if (head.number() != number || (named != null && head.salt() != named.salt())) {
      return new Damage(0, "its head belongs to another file");
    }
    return named != null && bytes() < named.bytes()
        ? new Damage(bytes(), "it ends there and had " + named.bytes() + " bytes")
        : null;
  }

  @Override
  public @Nullable ByteBuffer body(long bodyId, long place, int length) throws IOException {
    return reader.hasBody(bodyId, place, length)
        ? reader.at(place + BodyRun.CHECK_BYTES, length)
        : null;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
