package io.peeklock.store;

import io.peeklock.journal.inspection.DryRunRecovery;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Copies a data folder while its broker runs, without the broker's help.
 *
 * <p>Files that no longer change are linked, the two newest segments are copied as far as they are
 * written. The order makes the copy complete: first the checkpoint, then the high-water mark, then
 * the files that a start needs, the newest segments last, because a file is removed only after the
 * batch that allows it is in the log. New large bodies follow, since a batch names only existing
 * ones. A file that was removed meanwhile is no loss while the checkpoint is still kept; otherwise
 * the backup begins again. At the end a start is tried on the copy, and only then the manifest
 * makes it a backup.
 */
final class Backup {
  private static final int TRIES = 5;

  /**
   * The newest segment grows; the one before it grows again when a crash leaves the newest empty.
   */
  private static final int COPIED_SEGMENTS = 2;

  private static final String LOCK = "backup.lock";
  private static final String FORMAT = "format";
  private static final String HIGH_WATER = "highwater";
  private static final String KEY = "namespace-key";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/-]+");

  private final Path source;
  private final Path target;
  private final PrintWriter err;
  private final @Nullable Manifest before;

  /** The name in the backup of each file of the data folder. */
  private final TreeMap<String, String> stored = new TreeMap<>();

  private final TreeMap<String, CheckedFiles.Copied> copied = new TreeMap<>();

  /** The copies that earlier tries made of files that no longer change. */
  private final TreeMap<String, CheckedFiles.Copied> earlier = new TreeMap<>();

  private final TreeMap<String, String> earlierNames = new TreeMap<>();
  private Progress progress;

  private Backup(Path source, Path target, PrintWriter err, @Nullable Manifest before) {
    this.source = source;
    this.target = target;
    this.err = err;
    this.before = before;
    this.progress = Progress.of(err, "backup", 0);
  }

  /** What was taken. */
  record Taken(Manifest manifest, DryRunRecovery dryRun, int fresh) {}

  static Taken of(Path source, Path target, PrintWriter err) throws IOException {
    if (!Files.isDirectory(source)) {
      throw new IOException(source + " is no folder");
    }
    if (Files.exists(target) && Files.isSameFile(source, target)) {
      throw new IOException("a folder cannot be its own backup");
    }
    Manifest.refuseIn(source);
    StoreFolder.over(source.toString(), StoreFolder.files(source)); // refuses unknown files
    refuseForeign(target);
    CheckedFiles.makeFolder(target);
    try (var lock = CheckedFiles.lockFile(target.resolve(LOCK))) {
      if (lock.tryLock() == null) {
        throw new IOException("another backup is being written to " + target);
      }
      return new Backup(source, target, err, Manifest.readIfThere(target)).run();
    }
  }

  /**
   * Refuses a target that is no backup, finished or not, as all its other files are removed at the
   * end.
   */
  private static void refuseForeign(Path target) throws IOException {
    if (Files.exists(target) && !Files.isDirectory(target)) {
      throw new IOException(target + " is a file, and no folder");
    }
    var isBackup = Files.exists(target.resolve(LOCK)) && !Files.exists(target.resolve(FORMAT));
    if (!CheckedFiles.isEmpty(target) && !isBackup) {
      throw new IOException(target + " is not empty and holds no backup");
    }
  }

  private Taken run() throws IOException {
    var refusal = "";
    for (var tries = 0; tries < TRIES; tries++) {
      earlier.putAll(copied);
      earlierNames.putAll(stored);
      stored.clear();
      copied.clear();
      if (!take()) {
        continue;
      }
      var dryRun = StoreFolder.over(target.toString(), paths()).dryRun();
      var reason = reasonAgainst(dryRun);
      if (reason == null) {
        refuseToGoBack(dryRun);
        return finish(dryRun);
      }
      refusal = reason;
    }
    throw new IOException(
        refusal.isEmpty()
            ? "files went faster than they could be taken; try again when the broker has less to do"
            : "what was taken would not start: " + refusal + ". The backup before it is untouched");
  }

  /**
   * Refuses a log that ends earlier than the existing backup: its mark names what was durable then.
   */
  private void refuseToGoBack(DryRunRecovery dryRun) throws IOException {
    var format = before == null ? null : before.of(FORMAT);
    var mark = before == null ? null : before.of(HIGH_WATER);
    if (format == null || mark == null) {
      return;
    }
    var paths =
        Map.of(FORMAT, target.resolve(format.stored()), HIGH_WATER, target.resolve(mark.stored()));
    var known = StoreFolder.over(target.toString(), paths).promised();
    if (known != null && known.index() > dryRun.lastIndex()) {
      throw new IOException(
          "the log in "
              + source
              + " ends with batch "
              + dryRun.lastIndex()
              + ", and the backup in "
              + target
              + " knows that batch "
              + known.index()
              + " was durable: the end of the log is missing, or it is the log of another folder."
              + " The backup is untouched; take one of this folder to another place");
    }
  }

  private static @Nullable String reasonAgainst(DryRunRecovery dryRun) {
    if (dryRun.refusal() != null) {
      return dryRun.refusal();
    }
    var missing = dryRun.missing();
    return missing.isEmpty()
        ? null
        : missing.size() + " messages have no body, the first is body " + missing.get(0).bodyId();
  }

  private Map<String, Path> paths() {
    var paths = new TreeMap<String, Path>();
    stored.forEach((name, as) -> paths.put(name, target.resolve(as)));
    return paths;
  }

  /** Makes one try; false when it must begin again. */
  private boolean take() throws IOException {
    CheckedFiles.makeFolder(target.resolve("large"));
    var files = StoreFolder.files(source);
    progress = Progress.of(err, "backup", bytesOf(files));
    var beginning = takeCheckpoint(files);
    if (beginning == null) {
      return false;
    }
    // Before the segments, so that it never names later batches.
    takeCopy(HIGH_WATER);
    takeLinked(files, beginning.cold());
    var later = StoreFolder.files(source);
    takeLinked(later, beginning.cold());
    var segments = names(later, Kind.SEGMENT);
    for (var name : newest(segments)) {
      takeCopy(name);
    }
    for (var name : List.of(FORMAT, KEY)) {
      takeCopy(name);
    }
    takeLinked(names(StoreFolder.files(source), Kind.LARGE_BODY));
    var checkpoint = beginning.checkpoint();
    return checkpoint == null || Files.exists(source.resolve(checkpoint));
  }

  private static long bytesOf(Map<String, Path> files) {
    var sum = 0L;
    for (var file : files.entrySet()) {
      var isTaken = StoreFolder.kindOf(file.getKey()) != Kind.BALLAST;
      sum += isTaken ? file.getValue().toFile().length() : 0; // 0 for a file removed meanwhile
    }
    return sum;
  }

  private static List<String> names(Map<String, Path> files, Kind kind) {
    return files.keySet().stream().filter(name -> StoreFolder.kindOf(name) == kind).toList();
  }

  private static List<String> newest(List<String> segments) {
    return segments.subList(Math.max(0, segments.size() - COPIED_SEGMENTS), segments.size());
  }

  /**
   * The files that a start would read first.
   *
   * @param checkpoint null for none
   * @param cold names of the cold segments that are needed
   */
  private record Beginning(@Nullable String checkpoint, Set<String> cold) {}

  /**
   * Takes the newest intact checkpoint; null when a file was removed meanwhile, and the try must
   * begin again.
   */
  private @Nullable Beginning takeCheckpoint(Map<String, Path> files) throws IOException {
    var names = names(files, Kind.CHECKPOINT);
    for (var i = names.size() - 1; i >= 0; i--) {
      var name = names.get(i);
      takeLink(name);
      if (!stored.containsKey(name)) {
        return null;
      }
      var cold = coldNamedBy(name);
      if (cold != null) {
        return new Beginning(name, cold);
      }
      stored.remove(name);
    }
    // With all files the dry run decides like a start: that too much is missing, or that the log is
    // enough.
    takeLinked(names);
    return new Beginning(null, new TreeSet<>(names(files, Kind.COLD)));
  }

  /** The cold segments that a checkpoint names; null when it is damaged. */
  private @Nullable Set<String> coldNamedBy(String name) throws IOException {
    takeCopy(FORMAT);
    try (var reader = StoreFolder.over(target.toString(), paths()).checkpoint(name)) {
      if (reader.damage() != null) {
        return null;
      }
      var cold = new TreeSet<String>();
      reader.coldSegments().forEach(named -> cold.add(named.file()));
      return cold;
    }
  }

  private void takeLinked(Map<String, Path> files, Set<String> cold) throws IOException {
    var copies = newest(names(files, Kind.SEGMENT));
    var linked = new ArrayList<String>();
    for (var name : files.keySet()) {
      var wanted =
          switch (StoreFolder.kindOf(name)) {
            case SEGMENT -> !copies.contains(name);
            case COLD -> cold.contains(name);
            case LARGE_BODY -> true;
            case OTHER -> !name.equals(KEY) && PLAIN.matcher(name).matches();
            case CHECKPOINT, FORMAT, HIGH_WATER, LOCK, BALLAST, UNFINISHED, SET_ASIDE -> false;
          };
      if (wanted) {
        linked.add(name);
      }
    }
    takeLinked(linked);
  }

  private void takeLinked(List<String> names) throws IOException {
    for (var name : names) {
      if (!stored.containsKey(name)) {
        takeLink(name);
      }
    }
  }

  /** Links a file that no longer changes, or copies it when links are impossible. */
  private void takeLink(String name) throws IOException {
    var from = source.resolve(name);
    var to = target.resolve(name);
    try {
      if (Files.exists(to)) {
        takeAgain(name, from, to);
        return;
      }
      try {
        Files.createLink(to, from);
        stored.put(name, name);
      } catch (NoSuchFileException gone) {
        throw gone;
      } catch (IOException | UnsupportedOperationException elsewhere) {
        takeCopyUnlessKnown(name, from);
      }
    } catch (NoSuchFileException gone) {
      stored.remove(name); // without living bodies, or the end of this try notices
    }
  }

  private void takeAgain(String name, Path from, Path to) throws IOException {
    if (Files.isSameFile(from, to)) {
      stored.put(name, name);
      return;
    }
    var known = before == null ? null : before.of(name);
    if (known == null || !known.stored().equals(name)) {
      Files.delete(to); // of a failed try
      takeLink(name);
    } else {
      takeCopyUnlessKnown(name, from);
    }
  }

  /** Keeps the backup's copy if it is the same. */
  private void takeCopyUnlessKnown(String name, Path from) throws IOException {
    var tried = earlier.get(name);
    if (tried != null && tried.bytes() == Files.size(from)) {
      stored.put(name, earlierNames.getOrDefault(name, name));
      copied.put(name, tried);
      return;
    }
    var known = before == null ? null : before.of(name);
    if (known != null
        && Files.exists(target.resolve(known.stored()))
        && Files.size(target.resolve(known.stored())) == known.bytes()
        && Files.size(from) == known.bytes()) {
      var now = CheckedFiles.check(from, progress);
      if (now.check() == known.check()) {
        stored.put(name, known.stored());
        copied.put(name, now);
        return;
      }
      Differing.refuseIfDamaged(name, from, target.resolve(known.stored()));
    }
    takeCopy(name);
  }

  /** Copies the present contents of a file, under a name for this state of it. */
  private void takeCopy(String name) throws IOException {
    var part = target.resolve(name + ".part");
    Files.deleteIfExists(part);
    try {
      var now = CheckedFiles.copy(source.resolve(name), part, progress);
      var as = name + "-" + String.format(Locale.ROOT, "%08x", now.check());
      Files.move(
          part,
          target.resolve(as),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      stored.put(name, as);
      copied.put(name, now);
    } catch (NoSuchFileException gone) {
      stored.remove(name);
      Files.deleteIfExists(part);
    }
  }

  private Taken finish(DryRunRecovery dryRun) throws IOException {
    var entries = new ArrayList<Manifest.Entry>();
    var fresh = 0;
    for (var file : stored.entrySet()) {
      var name = file.getKey();
      if (StoreFolder.kindOf(name) == Kind.LARGE_BODY && !dryRun.largeBodies().contains(name)) {
        continue; // still arriving, or unneeded
      }
      var known = before == null ? null : before.of(name);
      var as = file.getValue();
      var isKnown = known != null && known.stored().equals(as);
      fresh += isKnown ? 0 : 1;
      entries.add(entry(name, as, isKnown ? known : null));
    }
    progress.end();
    CheckedFiles.syncFolder(target.resolve("large"));
    CheckedFiles.syncFolder(target);
    var manifest = new Manifest(dryRun.lastIndex(), List.copyOf(entries));
    manifest.write(target);
    removeOthers(manifest);
    return new Taken(manifest, dryRun, fresh);
  }

  private Manifest.Entry entry(String name, String as, Manifest.@Nullable Entry known)
      throws IOException {
    var check = copied.get(name);
    if (check == null && known != null && Files.size(target.resolve(as)) == known.bytes()) {
      return known; // a link to the same file as last time
    }
    if (check == null) {
      check = CheckedFiles.check(target.resolve(as), progress);
    }
    return new Manifest.Entry(name, as, check.bytes(), check.check());
  }

  private void removeOthers(Manifest manifest) throws IOException {
    var kept = new TreeSet<String>();
    manifest.entries().forEach(entry -> kept.add(entry.stored()));
    for (var file : StoreFolder.files(target).entrySet()) {
      var name = file.getKey();
      if (!kept.contains(name) && !name.equals(Manifest.NAME) && !name.equals(LOCK)) {
        Files.deleteIfExists(file.getValue());
      }
    }
  }
}
