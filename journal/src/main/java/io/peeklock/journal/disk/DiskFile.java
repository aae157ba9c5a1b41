package io.peeklock.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. Appends and syncs come from one thread; reads may come from another. */
public interface DiskFile extends Closeable {

  long size() throws IOException;

  /** Writes all bytes of the first pieces at the end of the file. */
  void append(ByteBuffer[] pieces, int count) throws IOException;

  /** Overwrites bytes at a position, without moving the end. */
  void overwrite(ByteBuffer bytes, long position) throws IOException;

  /** Reads at a position until the buffer is full or the file ends. */
  void read(ByteBuffer into, long position) throws IOException;

  /** Makes the bytes durable. After a failure the state of all of them is unknown. */
  void sync() throws IOException;

  /** Cuts the file; later appends go to the new end. */
  void truncate(long size) throws IOException;
}
