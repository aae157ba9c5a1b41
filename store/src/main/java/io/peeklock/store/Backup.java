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
 * Copies a data folder while its broker runs, without a word to it.
 *
 * <p>Files that never change again are linked, the two newest segments are copied as far as they
 * are written. The order makes it whole: the checkpoint first, then the mark up to where the log is
 * durable, then what a start needs, the newest segments last, because a file goes only after the
 * batch that says so is in the log. Only then are new large bodies looked for, since a batch names
 * one that is there. A file that went meanwhile is no loss while the checkpoint is still kept;
 * otherwise all begins again. In the end a start is tried in a dry run on what was taken, and only
 * then the manifest says that it is a backup.
 */
final class Backup {
  private static final int TRIES = 5;

  /** The newest one grows; the one before it grows again when a crash leaves the newest empty. */
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

  /** Where each file of the data folder lies in the backup. */
  private final TreeMap<String, String> stored = new TreeMap<>();

  private final TreeMap<String, CheckedFiles.Copied> copied = new TreeMap<>();

  /** What earlier tries copied of files that never change again. */
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
    StoreFolder.over(source.toString(), StoreFolder.files(source)); // refuses what it does not know
    refuseForeign(target);
    CheckedFiles.makeFolder(target);
    try (var lock = CheckedFiles.lockFile(target.resolve(LOCK))) {
      if (lock.tryLock() == null) {
        throw new IOException("another backup is being written to " + target);
      }
      return new Backup(source, target, err, Manifest.readIfThere(target)).run();
    }
  }

  /** Everything else in the target goes in the end, so it must be a backup's, begun or whole. */
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
   * The backup that is there may know that the log went further: its mark names what was durable
   * when it was taken.
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

  /** One try; false when it must begin again. */
  private boolean take() throws IOException {
    CheckedFiles.makeFolder(target.resolve("large"));
    var files = StoreFolder.files(source);
    progress = Progress.of(err, "backup", bytesOf(files));
    var beginning = takeCheckpoint(files);
    if (beginning == null) {
      return false;
    }
    // Before the segments, so that it never names what came to them later.
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
      sum += isTaken ? file.getValue().toFile().length() : 0; // 0 for one that went meanwhile
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
   * What a start would begin with.
   *
   * @param checkpoint null for none
   * @param cold names of the cold segments that are needed
   */
  private record Beginning(@Nullable String checkpoint, Set<String> cold) {}

  /** The newest checkpoint that is intact; null when one went meanwhile, and all begins again. */
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
    // With all that there is, the dry run says what a start says: that too much is missing, or
    // that the log is enough.
    takeLinked(names);
    return new Beginning(null, new TreeSet<>(names(files, Kind.COLD)));
  }

  /** Null when the checkpoint is damaged. */
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

  /** Links a file that never changes again, or copies it where links cannot go. */
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
      stored.remove(name); // nothing alive was in it, or the end of this try finds out
    }
  }

  private void takeAgain(String name, Path from, Path to) throws IOException {
    if (Files.isSameFile(from, to)) {
      stored.put(name, name);
      return;
    }
    var known = before == null ? null : before.of(name);
    if (known == null || !known.stored().equals(name)) {
      Files.delete(to); // of a try that came to nothing
      takeLink(name);
    } else {
      takeCopyUnlessKnown(name, from);
    }
  }

  /** Keeps what the backup has, when that is the same. */
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

  /** Copies what a file has now, under a name that says which state of it this is. */
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
        continue; // it is still arriving, or nobody needs it
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
