package io.peeklock.journal.scan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A file with bodies, opened for inspection. */
public sealed interface BodyScan extends Closeable permits SegmentScan, ColdScan {

  /** Bytes of the file. */
  long bytes();

  /**
   * A body at a place in this file.
   *
   * @param place the offset of its checksum
   * @return null when that body is not there; valid until the next call
   */
  @Nullable ByteBuffer body(long bodyId, long place, int length) throws IOException;
}
