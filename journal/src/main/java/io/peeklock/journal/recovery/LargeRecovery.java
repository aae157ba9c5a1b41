package io.peeklock.journal.recovery;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.large.FileLarge;
import io.peeklock.journal.large.LargeFormat;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares the files of large bodies with what was recovered. Blocks. */
final class LargeRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(LargeRecovery.class);

  private final Disk disk;

  LargeRecovery(Disk disk) {
    this.disk = disk;
  }

  /**
   * Refuses when the file of a living body is missing or incomplete, after the log was replayed and
   * dead bodies forgotten. The contents are verified when they are read.
   *
   * @param changes the changes that a start would otherwise make
   */
  void refuseUnlessWhole(List<FileLarge> living, List<StoreChange> changes) throws IOException {
    if (living.isEmpty()) {
      return;
    }
    var sizes = disk.sizes(LargeFormat.FOLDER);
    var bad = new TreeMap<String, String>();
    for (var body : living) {
      var size = sizes.get(LargeFormat.plainNameOf(body.fileId()));
      var whole = LargeFormat.fileBytes(body.length());
      if (size == null) {
        bad.put(LargeFormat.nameOf(body.fileId()), "is missing");
      } else if (size != whole) {
        bad.put(LargeFormat.nameOf(body.fileId()), "has " + size + " bytes instead of " + whole);
      }
    }
    if (!bad.isEmpty()) {
      throw MissingFilesException.ofLargeBodies(disk, bad, changes);
    }
  }

  /** Removes files that no frame names: bodies that were arriving when the broker stopped. */
  void keepOnly(Set<Long> fileIdsInLog) throws IOException {
    var removed = 0;
    for (var file : disk.list(LargeFormat.FOLDER)) {
      var isKept = file.endsWith(".body") && fileIdsInLog.contains(idIn(file));
      if (!isKept) {
        disk.delete(LargeFormat.FOLDER + "/" + file);
        removed++;
      }
    }
    if (removed > 0) {
      LOG.info("{} large bodies had not become part of the log; they are removed", removed);
    }
    disk.syncFolder(LargeFormat.FOLDER);
  }

  private static long idIn(String file) {
    try {
      return Long.parseUnsignedLong(file.substring(0, file.indexOf('.')), 16);
    } catch (NumberFormatException foreign) {
      LOG.debug("{} is no large body", file, foreign);
      return 0;
    }
  }
}
