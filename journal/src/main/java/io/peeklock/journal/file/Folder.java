package io.peeklock.journal.file;

import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The journal's folder as a whole: its lock and its format. */
public final class Folder {
  /** The format that this version writes; every version reads all formats up to its own. */
  static final int FORMAT = 1;

  public static final String LOCK = "lock";

  /**
   * The marker file that exists while a tool creates the folder, before any other file: the
   * contents are incomplete. Its text is the command; empty if that was killed at once.
   */
  public static final String UNFINISHED_FILE = "unfinished";

  private static final String FRESH_FORMAT_FILE = "format.new";
  private static final String TEXT = "peeklock journal format ";
  private static final int MAX_BYTES = 64;

  /** The end of messages about a damaged or missing format file. */
  public static final String WAY_OUT =
      "; ./peeklock store repair makes a whole folder of this one, or put back that file from"
          + " another folder of the same version";

  private Folder() {}

  /**
   * Locks the folder for this process, and initialises it when it is empty.
   *
   * @return to be closed at the very end
   */
  static Closeable take(Disk disk) throws IOException {
    return prepared(
        disk,
        disk.lock(LOCK),
        () -> {
          refuseUnfinished(disk);
          prepare(disk);
        });
  }

  /** The same for a tool, whose folder nobody else can open until {@link #finish}. */
  static Closeable takeUnfinished(Disk disk, String command) throws IOException {
    return prepared(disk, begin(disk, command), () -> prepare(disk));
  }

  /**
   * Begins a folder that a tool creates, or begins it again. The marker is durable before any other
   * file, even the lock, so everything found later was written after it.
   *
   * @return its lock
   */
  static Closeable begin(Disk disk, String command) throws IOException {
    if (disk.exists(UNFINISHED_FILE)) {
      disk.syncFolder(""); // a killed tool may not have done it
    } else {
      refuseUnlessEmpty(disk);
      write(disk, UNFINISHED_FILE, command + "\n");
    }
    var lock = disk.lock(LOCK);
    var done = false;
    try {
      if (!disk.exists(UNFINISHED_FILE)) { // finished meanwhile
        refuseUnlessEmpty(disk);
      }
      clear(disk);
      done = true;
      return lock;
    } finally {
      if (!done) {
        lock.close();
      }
    }
  }

  private static void refuseUnlessEmpty(Disk disk) throws IOException {
    if (!disk.list("").isEmpty()) {
      throw new IOException(
          disk.describe("") + " is not empty; nothing is written over what is there");
    }
  }

  /** Removes all but the marker and the lock. */
  static void clear(Disk disk) throws IOException {
    disk.makeFolder(LargeFormat.FOLDER);
    for (var name : disk.list(LargeFormat.FOLDER)) {
      disk.delete(LargeFormat.FOLDER + "/" + name);
    }
    for (var name : disk.list("")) {
      if (!name.equals(UNFINISHED_FILE) && !name.equals(LOCK)) {
        disk.delete(name);
      }
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static Closeable prepared(Disk disk, Closeable lock, Step step) throws IOException {
    var done = false;
    try {
      step.run();
      // Last, because on POSIX systems closing any handle of a file gives up the process's locks on
      // it.
      var guard = disk.guard(Disk.FORMAT_FILE);
      done = true;
      return () -> {
        try (lock) {
          guard.close();
        }
      };
    } finally {
      if (!done) {
        lock.close();
      }
    }
  }

  private static void prepare(Disk disk) throws IOException {
    if (disk.exists(Disk.FORMAT_FILE)) {
      check(disk);
    } else if (disk.list("").stream().anyMatch(Segment::isName)) {
      throw new IOException(
          disk.describe(Disk.FORMAT_FILE)
              + " is missing beside a log. Nothing was changed"
              + WAY_OUT);
    } else {
      write(disk);
    }
    disk.makeFolder(LargeFormat.FOLDER);
    disk.syncFolder("");
  }

  /** Refuses a folder that a tool began and did not finish. */
  public static void refuseUnfinished(Disk disk) throws IOException {
    if (disk.exists(UNFINISHED_FILE)) {
      throw new IOException(
          disk.describe(UNFINISHED_FILE)
              + " says that "
              + command(disk)
              + ", which makes this folder, was not finished: messages are missing in it. Run that"
              + " again, to the same folder: it begins anew. Nothing was changed");
    }
  }

  /** The command that makes the folder, as far as it is known. */
  private static String command(Disk disk) throws IOException {
    var bytes = ByteBuffer.allocate(MAX_BYTES);
    try (var file = disk.open(UNFINISHED_FILE)) {
      file.read(bytes, 0);
    }
    var text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
    return text.matches("[a-z ]+\n") ? "./peeklock " + text.strip() : "the repair or restore";
  }

  /** Removes the marker: the tool's files are complete and durable. */
  static void finish(Disk disk) throws IOException {
    disk.delete(UNFINISHED_FILE);
    disk.syncFolder("");
  }

  private static void write(Disk disk) throws IOException {
    disk.delete(FRESH_FORMAT_FILE);
    write(disk, FRESH_FORMAT_FILE, TEXT + FORMAT + "\n");
    disk.rename(FRESH_FORMAT_FILE, Disk.FORMAT_FILE);
    disk.syncFolder("");
  }

  private static void write(Disk disk, String name, String text) throws IOException {
    try (var file = disk.create(name)) {
      if (!text.isEmpty()) {
        var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        file.append(new ByteBuffer[] {bytes}, 1);
      }
      file.sync();
    }
    disk.syncFolder("");
  }

  /** Refuses a format that is damaged or newer than this version knows. */
  public static void check(Disk disk) throws IOException {
    var format = formatOf(disk);
    if (format < 1) {
      throw new IOException(
          disk.describe(Disk.FORMAT_FILE)
              + " is damaged at offset 0. Nothing was changed"
              + WAY_OUT);
    }
    if (format > FORMAT) {
      throw new IOException(
          disk.describe(Disk.FORMAT_FILE)
              + " says format "
              + format
              + ", this version of Peeklock knows formats up to "
              + FORMAT
              + "; use the newer version that wrote it");
    }
  }

  /** Whether the format file exists and has a number. */
  public static boolean tellsFormat(Disk disk) throws IOException {
    return disk.exists(Disk.FORMAT_FILE) && formatOf(disk) >= 1;
  }

  private static int formatOf(Disk disk) throws IOException {
    var bytes = ByteBuffer.allocate(MAX_BYTES);
    try (var file = disk.open(Disk.FORMAT_FILE)) {
      file.read(bytes, 0);
    }
    return formatIn(new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
  }

  /** The format in a text; 0 when there is none. */
  private static int formatIn(String text) {
    var number = text.startsWith(TEXT) ? text.substring(TEXT.length()).strip() : "";
    return number.matches("[0-9]{1,6}") ? Integer.parseInt(number) : 0;
  }
}
