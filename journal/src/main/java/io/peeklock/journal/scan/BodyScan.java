package io.peeklock.journal.scan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A file that bodies lie in, for those who only look. */
public sealed interface BodyScan extends Closeable permits SegmentScan, ColdScan {

  /** Bytes of the file. */
  long bytes();

  /**
   * A body at a place in this file.
   *
   * @param place where its checksum begins
   * @return null when what lies there is not that body; valid until the next call
   */
  @Nullable ByteBuffer body(long bodyId, long place, int length) throws IOException;
}
