package io.peeklock.journal.inspection;

import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.disk.FolderLock;
import io.peeklock.journal.disk.ReadOnlyDisk;
import io.peeklock.journal.file.Folder;
import io.peeklock.journal.file.UnfinishedFolder;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.scan.BodyScan;
import io.peeklock.journal.scan.ColdScan;
import io.peeklock.journal.scan.LargeScan;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A journal's folder opened read-only, for tools. Nothing is changed. */
public final class StoreFolder implements Closeable {
  /** The file that records up to where the log is durable. */
  public static final String HIGH_WATER = HighWater.NAME;

  private static final String UNFINISHED = ".new";
  private static final String SET_ASIDE = ".damaged";

  private final ReadOnlyDisk disk;
  private final Closeable lock;

  /** The kinds of files. */
  public enum Kind {
    /** The format of the folder. */
    FORMAT,
    /** Batches and bodies. */
    SEGMENT,
    /** The state after a batch. */
    CHECKPOINT,
    /** Bodies that were moved out of mostly dead files. */
    COLD,
    /** One body above 1 MiB. */
    LARGE_BODY,
    /** Random bytes that reserve space for a full disk. */
    BALLAST,
    /** Records up to where the log is durable. */
    HIGH_WATER,
    /** Locked by the process that has the folder. */
    LOCK,
    /** An unfinished file; the next start removes it. */
    UNFINISHED,
    /** A damaged file; nothing reads it. */
    SET_ASIDE,
    /** Not a file of the journal. */
    OTHER
  }

  private StoreFolder(Map<String, Path> files, Closeable lock) {
    this.disk = new ReadOnlyDisk(files);
    this.lock = lock;
  }

  /**
   * Opens a folder, so that no broker can start in it meanwhile.
   *
   * @throws IOException when it is no journal's folder, or in use; the text names the user
   */
  public static StoreFolder take(Path folder) throws IOException {
    return take(folder, false, false);
  }

  /**
   * The same, also when the format file is damaged or missing, if any segment has an intact head.
   */
  public static StoreFolder takeDamaged(Path folder) throws IOException {
    return take(folder, false, true);
  }

  /** The same for the tool that creates the folder, before {@link UnfinishedFolder#finish}. */
  public static StoreFolder takeUnfinished(Path folder) throws IOException {
    return take(folder, true, false);
  }

  private static StoreFolder take(Path folder, boolean unfinished, boolean damaged)
      throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder + " is no folder");
    }
    var lock = FolderLock.forReading(folder, Folder.LOCK, Disk.FORMAT_FILE);
    var taken = false;
    try {
      var files = new TreeMap<>(files(folder));
      if (unfinished) {
        files.remove(Folder.UNFINISHED_FILE);
      }
      var store = new StoreFolder(files, lock);
      Folder.refuseUnfinished(store.disk);
      if (!damaged || store.tellsFormat()) {
        store.checkFormat(folder.toString());
      } else if (!store.headsTellFormat()) {
        throw store.tellsNoFormat(folder);
      }
      taken = true;
      return store;
    } finally {
      if (!taken) {
        lock.close();
      }
    }
  }

  /**
   * Reads files from any place, by the names that they have in a journal's folder.
   *
   * @param folder what they are called together, for people
   */
  public static StoreFolder over(String folder, Map<String, Path> files) throws IOException {
    var store = new StoreFolder(files, () -> {});
    Folder.refuseUnfinished(store.disk);
    store.checkFormat(folder);
    return store;
  }

  private void checkFormat(String folder) throws IOException {
    if (disk.exists(Disk.FORMAT_FILE)) {
      Folder.check(disk);
    } else if (names().stream().anyMatch(name -> kindOf(name) == Kind.SEGMENT)) {
      throw new IOException(
          folder + " has a log and no file that tells its format" + Folder.WAY_OUT);
    } else {
      throw new IOException(folder + " is not the data folder of a broker");
    }
  }

  /** Whether the format file exists and is intact. */
  public boolean tellsFormat() throws IOException {
    return Folder.tellsFormat(disk);
  }

  /** Said by the very command that others point to where the format is damaged or missing. */
  private IOException tellsNoFormat(Path folder) {
    var isOne =
        disk.exists(Disk.FORMAT_FILE)
            || names().stream().anyMatch(name -> kindOf(name) == Kind.SEGMENT);
    return new IOException(
        isOne
            ? folder.resolve(Disk.FORMAT_FILE)
                + " is damaged or missing, and no head of a segment is intact, so that nothing"
                + " here tells the format. Nothing was changed; put that file back from another"
                + " folder of the same version and try again, or restore a backup"
            : folder + " is not the data folder of a broker");
  }

  /** Whether a segment has an intact head; those of a newer version are refused. */
  private boolean headsTellFormat() throws IOException {
    for (var name : names(Kind.SEGMENT)) {
      var bytes = ByteBuffer.allocate(SegmentHead.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      try (var file = disk.open(name)) {
        file.read(bytes, 0);
      }
      if (!bytes.hasRemaining() && SegmentHead.read(bytes, disk.describe(name)) != null) {
        return true;
      }
    }
    return false;
  }

  /** The files of a folder, by name; those in {@code large} with their folder's. */
  public static Map<String, Path> files(Path folder) throws IOException {
    var files = new TreeMap<String, Path>();
    collect(folder, "", files);
    if (Files.isDirectory(folder.resolve(LargeFormat.FOLDER))) {
      collect(folder.resolve(LargeFormat.FOLDER), LargeFormat.FOLDER + "/", files);
    }
    return files;
  }

  private static void collect(Path folder, String prefix, Map<String, Path> into)
      throws IOException {
    try (var entries = Files.list(folder)) {
      for (var path : entries.toList()) {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          into.put(prefix + path.getFileName(), path);
        }
      }
    }
  }

  /** What a file of this name is. */
  public static Kind kindOf(String name) {
    if (name.endsWith(UNFINISHED)) {
      return Kind.UNFINISHED;
    }
    if (name.endsWith(SET_ASIDE)) {
      return Kind.SET_ASIDE;
    }
    if (Segment.isName(name)) {
      return Kind.SEGMENT;
    }
    if (CheckpointFile.isName(name)) {
      return Kind.CHECKPOINT;
    }
    if (ColdSegment.isName(name)) {
      return Kind.COLD;
    }
    if (name.startsWith(LargeFormat.FOLDER + "/")) {
      return LargeScan.isName(name) ? Kind.LARGE_BODY : Kind.OTHER;
    }
    return switch (name) {
      case Disk.FORMAT_FILE -> Kind.FORMAT;
      case Folder.LOCK -> Kind.LOCK;
      case HighWater.NAME -> Kind.HIGH_WATER;
      case DiskSpace.BALLAST -> Kind.BALLAST;
      default -> Kind.OTHER;
    };
  }

  /** All files, in order of their names. */
  public List<String> names() {
    return disk.names();
  }

  /** The files of one kind, in order of their names: segments and checkpoints in log order. */
  public List<String> names(Kind kind) {
    return names().stream().filter(name -> kindOf(name) == kind).toList();
  }

  /** Whether a file has this name. */
  public boolean has(String name) {
    return disk.exists(name);
  }

  /** Bytes of a file. */
  public long bytes(String name) throws IOException {
    return Files.size(disk.path(name));
  }

  /** The name in full, for people. */
  public String describe(String name) {
    return disk.describe(name);
  }

  /** Reads a segment. */
  public SegmentScan segment(String name) throws IOException {
    return new SegmentScan(disk.open(name), disk.describe(name), Segment.firstIndexIn(name));
  }

  /**
   * The position up to which the log was durable; null without an intact mark.
   *
   * @throws IOException when it cannot be read, or is of a newer format
   */
  public @Nullable Promised promised() throws IOException {
    var mark = HighWater.read(disk);
    return mark == null
        ? null
        : new Promised(mark.index(), Segment.nameOf(mark.segment()), mark.offset());
  }

  /**
   * What was durable.
   *
   * @param index of the last batch
   * @param segment the file that it is in
   * @param offset where it ends in there
   */
  public record Promised(long index, String segment, long offset) {}

  /** Reads a cold segment. */
  public ColdScan cold(String name) throws IOException {
    return new ColdScan(disk.open(name), disk.describe(name), ColdSegment.numberIn(name));
  }

  /** Reads bodies in a segment or in a cold one. */
  public BodyScan bodies(String name) throws IOException {
    return kindOf(name) == Kind.COLD ? cold(name) : segment(name);
  }

  /** Reads a checkpoint. */
  public CheckpointReader checkpoint(String name) throws IOException {
    return new CheckpointReader(disk.open(name), disk.describe(name), CheckpointFile.indexIn(name));
  }

  /** Reads a large body. */
  public LargeScan largeBody(String name) throws IOException {
    return new LargeScan(disk.open(name), name);
  }

  /** The index of the batch after which a checkpoint was made. */
  public static long checkpointIndex(String name) {
    return CheckpointFile.indexIn(name);
  }

  /** The index of the first batch of a segment, by its name. */
  public static long firstIndex(String segment) {
    return Segment.firstIndexIn(segment);
  }

  /** The name of the segment that begins with a batch. */
  public static String segmentName(long firstIndex) {
    return Segment.nameOf(firstIndex);
  }

  /** The name of a large body's file. */
  public static String largeBodyName(long fileId) {
    return LargeFormat.nameOf(fileId);
  }

  /** Runs the recovery of a start without changing anything. */
  public DryRunRecovery dryRun() throws IOException {
    return DryRunRecovery.over(new ReadOnlyDisk(copyOfFiles()));
  }

  private Map<String, Path> copyOfFiles() throws IOException {
    var files = new TreeMap<String, Path>();
    for (var name : names()) {
      if (kindOf(name) != Kind.BALLAST) { // its size depends on a setting that is not known here
        files.put(name, disk.path(name));
      }
    }
    return files;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
