package io.peeklock.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * This module's only access to a file system, so that a simulated one can tear, lose, flip and
 * refuse. Names are relative to the journal's folder, with a slash below {@code large}. Nothing is
 * durable before it is synced: bytes by {@link DiskFile#sync}, names by {@link #syncFolder}.
 */
public interface Disk {

  /**
   * The file with the format of a journal's folder; it exists as long as the folder is a journal's.
   */
  String FORMAT_FILE = "format";

  /** Creates a file, readable by its owner only; fails when the name is taken. */
  DiskFile create(String name) throws IOException;

  /** Opens an existing file to read and write; appends go to its end. */
  DiskFile open(String name) throws IOException;

  /** Whether a file has the name. */
  boolean exists(String name) throws IOException;

  /** The names of the plain files in a folder, sorted, without the folder's name. */
  List<String> list(String folder) throws IOException;

  /** The sizes of the plain files in a folder, by name without the folder's name. */
  Map<String, Long> sizes(String folder) throws IOException;

  /** Creates a folder for its owner only, unless it exists. */
  void makeFolder(String folder) throws IOException;

  /** Makes creations, renames and removals in a folder durable; "" is the journal's own. */
  void syncFolder(String folder) throws IOException;

  /** Renames a file over another. */
  void rename(String from, String to) throws IOException;

  /** Removes a file, if it exists. */
  void delete(String name) throws IOException;

  /** Bytes that may still be written. */
  long freeBytes() throws IOException;

  /**
   * Holds a file exclusively until closed.
   *
   * @throws IOException naming the holder when another process has it
   */
  Closeable lock(String name) throws IOException;

  /**
   * Holds an existing file in addition to the {@link #lock}, without writing to it, until closed.
   *
   * @throws IOException when another process has it
   */
  Closeable guard(String name) throws IOException;

  /** The name in full, for people. */
  String describe(String name);
}
