package io.peeklock.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The one way from this module to a file system, so that a simulated one can tear, lose, flip and
 * refuse. Names are relative to the journal's folder, with a slash below {@code large}. Nothing is
 * durable before it was synced: bytes by {@link DiskFile#sync}, names by {@link #syncFolder}.
 */
public interface Disk {

  /** Tells the format of a journal's folder. As long as that is ours, this file is there. */
  String FORMAT_FILE = "format";

  /** A new file, for its owner only; fails when the name is taken. */
  DiskFile create(String name) throws IOException;

  /** A file that is there, to be read and written; appends go to its end. */
  DiskFile open(String name) throws IOException;

  /** Whether a file has the name. */
  boolean exists(String name) throws IOException;

  /** Names of the plain files in a folder, sorted, without the folder's. */
  List<String> list(String folder) throws IOException;

  /** How long each of the plain files in a folder is, by its name without the folder's. */
  Map<String, Long> sizes(String folder) throws IOException;

  /** Makes a folder, for its owner only, unless it is there. */
  void makeFolder(String folder) throws IOException;

  /** Makes creations, renames and removals in a folder durable; "" is the journal's own. */
  void syncFolder(String folder) throws IOException;

  /** Renames a file over another. */
  void rename(String from, String to) throws IOException;

  /** Removes a file; it may be gone already. */
  void delete(String name) throws IOException;

  /** Bytes that may still be written. */
  long freeBytes() throws IOException;

  /**
   * Holds a file exclusively until closed.
   *
   * @throws IOException naming the holder when another one has it
   */
  Closeable lock(String name) throws IOException;

  /**
   * Holds a file that is there, beside the {@link #lock} and without a word in it, until closed.
   *
   * @throws IOException when another one has it
   */
  Closeable guard(String name) throws IOException;

  /** The name in full, for people. */
  String describe(String name);
}
