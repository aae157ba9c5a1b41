package io.peeklock.journal.sim;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.log.HighWater;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A disk in memory that is as cruel as a real one may be: it knows what was synced, loses what was
 * not when the power goes, tears what was on its way, flips bits and refuses calls.
 */
public final class SimDisk implements Disk {
  private static final int SECTOR = 512;

  private final TreeMap<String, SimFile> names = new TreeMap<>();
  private final Map<String, TreeMap<String, SimFile>> syncedNames = new HashMap<>();
  private boolean locked;
  private boolean keepsLockFiles;
  private long capacityBytes = Long.MAX_VALUE;
  private long othersBytes;
  private int changes;
  private int failAt = Integer.MAX_VALUE;
  private int failUntil = Integer.MAX_VALUE;
  private String failure = "";
  private boolean failedTheMark;
  private int reads;
  private int removals;
  private int opened;
  private Predicate<String> refused = name -> false;
  private Runnable beforeChange = () -> {};

  /** Bounds of a journal on such a disk, where sends are taken down to the last byte. */
  public static JournalSettings settings() {
    return JournalSettings.in(Path.of("sim")).withReserveBytes(0);
  }

  /** Bytes, and what of them is durable. */
  public static final class SimFile {
    private byte[] bytes = new byte[0];
    private int size;
    private byte[] synced = new byte[0];
    private int syncedSize;

    /** Up to here both are alike, so that a sync copies what was appended and no more. */
    private int alike;

    public byte[] content() {
      return Arrays.copyOf(bytes, size);
    }

    private byte[] syncedContent() {
      return Arrays.copyOf(synced, syncedSize);
    }

    private void sync() {
      if (size > synced.length) {
        synced = Arrays.copyOf(synced, bytes.length);
      }
      System.arraycopy(bytes, alike, synced, alike, size - alike);
      syncedSize = size;
      alike = size;
    }

    private void overwrite(ByteBuffer piece, int position) {
      alike = Math.min(alike, position);
      piece.get(bytes, position, piece.remaining());
    }

    private void truncate(int to) {
      size = Math.min(size, to);
      alike = Math.min(alike, size);
    }

    private SimFile copy() {
      var copy = new SimFile();
      copy.bytes = content();
      copy.size = size;
      copy.synced = syncedContent();
      copy.syncedSize = syncedSize;
      copy.alike = alike;
      return copy;
    }

    private void append(ByteBuffer piece) {
      var count = piece.remaining();
      if (size + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + count));
      }
      piece.get(bytes, size, count);
      size += count;
    }
  }

  /** From the n-th change on (from 1), calls fail with this text. */
  public void failFrom(int change, String text) {
    failAt = change;
    failUntil = Integer.MAX_VALUE;
    failure = text;
  }

  /** The n-th change fails with this text, and only that one. */
  public void failOnce(int change, String text) {
    failAt = change;
    failUntil = change;
    failure = text;
  }

  /** Whether the call that failed was for the mark, without which the log goes on. */
  public boolean failedTheMark() {
    return failedTheMark;
  }

  /** How many calls so far changed something, or tried to. */
  public int changes() {
    return changes;
  }

  /** How many files were removed so far. */
  public int removals() {
    return removals;
  }

  /** How many calls so far read from a file. */
  public int reads() {
    return reads;
  }

  /** How many files are open now. */
  public int opened() {
    return opened;
  }

  /** How much fits on it; it has no end before. */
  public void capacity(long bytes) {
    capacityBytes = bytes;
  }

  /** How much of it somebody else has taken. */
  public void others(long bytes) {
    othersBytes = bytes;
  }

  /** Somebody else takes or gives back so much that this is left. */
  public void leave(long bytes) {
    othersBytes += freeBytes() - bytes;
  }

  /** Whoever wants to look at the disk before each call that changes something. */
  public void beforeChange(Runnable look) {
    beforeChange = look;
  }

  /** Whoever locks a file makes it, as on a real disk. */
  public void keepLockFiles() {
    keepsLockFiles = true;
  }

  /** Files with such names cannot be made. */
  public void refuse(Predicate<String> names) {
    refused = names;
  }

  /** The file that these bytes are in. */
  public String holding(byte[] bytes) {
    return names.keySet().stream()
        .filter(name -> indexOf(content(name), bytes) >= 0)
        .findFirst()
        .orElseThrow();
  }

  /** Where bytes begin in others; -1 for nowhere. */
  public static int indexOf(byte[] all, byte[] bytes) {
    for (var at = 0; at + bytes.length <= all.length; at++) {
      if (Arrays.equals(all, at, at + bytes.length, bytes, 0, bytes.length)) {
        return at;
      }
    }
    return -1;
  }

  /** Changes a file under those who have it open. */
  public void overwrite(String name, byte[] content) {
    var file = Objects.requireNonNull(names.get(name), name);
    file.bytes = content;
    file.size = content.length;
    file.alike = 0;
    file.sync();
  }

  /** Flips a bit of these bytes in the file that they are in. */
  public void damage(byte[] bytes) {
    var file = holding(bytes);
    var content = content(file).clone();
    content[indexOf(content, bytes)] ^= 4;
    overwrite(file, content);
  }

  /** Bytes of all files whose names end like this. */
  public long bytesOf(String... ends) {
    return names.entrySet().stream()
        .filter(entry -> Arrays.stream(ends).anyMatch(entry.getKey()::endsWith))
        .mapToLong(entry -> entry.getValue().size)
        .sum();
  }

  private void change() throws IOException {
    changes++;
    beforeChange.run();
    if (changes >= failAt && changes <= failUntil) {
      failedTheMark =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      frames.anyMatch(
                          frame -> frame.getClassName().equals(HighWater.class.getName())));
      throw new IOException(failure);
    }
  }

  /** What a machine finds after the power was cut here. */
  public SimDisk crashed(Random chance) {
    return crashed(chance, false);
  }

  /** The same, and of what was not synced in a file a bit may be flipped. */
  public SimDisk crashedWithFlips(Random chance) {
    return crashed(chance, true);
  }

  private SimDisk crashed(Random chance, boolean flips) {
    var after = new SimDisk();
    var folders = new TreeSet<>(syncedNames.keySet());
    names.keySet().forEach(name -> folders.add(folderOf(name)));
    for (var folder : folders) {
      var synced = syncedNames.getOrDefault(folder, new TreeMap<>());
      var all = new TreeSet<>(synced.keySet());
      names.keySet().stream().filter(name -> folderOf(name).equals(folder)).forEach(all::add);
      for (var name : all) {
        var file = chance.nextBoolean() ? names.get(name) : synced.get(name);
        if (file != null) {
          after.names.put(name, survivor(file, chance, flips));
        }
      }
      after.remember(folder);
    }
    return after;
  }

  private static SimFile survivor(SimFile file, Random chance, boolean flips) {
    var left = new SimFile();
    left.append(ByteBuffer.wrap(overwritten(file, chance)));
    if (file.size > file.syncedSize) {
      var unsynced = file.size - file.syncedSize;
      var torn = Arrays.copyOfRange(file.bytes, file.syncedSize, file.size);
      var kept = chance.nextInt(unsynced + 1);
      switch (chance.nextInt(3)) {
        case 0 -> torn = Arrays.copyOf(torn, kept);
        case 1 -> Arrays.fill(torn, kept, unsynced, (byte) 0);
        default -> loseSectors(torn, chance);
      }
      if (flips && torn.length > 0) {
        torn[chance.nextInt(torn.length)] ^= (byte) (1 << chance.nextInt(Byte.SIZE));
      }
      left.append(ByteBuffer.wrap(torn));
    }
    left.sync();
    return left;
  }

  /** What was written over synced bytes may have come to the disk, or a part of it. */
  private static byte[] overwritten(SimFile file, Random chance) {
    var left = file.syncedContent();
    if (file.alike == left.length) {
      return left; // nothing was
    }
    var last = Math.min(file.size, left.length) - 1;
    while (last >= 0 && left[last] == file.bytes[last]) {
      last--;
    }
    if (last >= 0) {
      var first = Arrays.mismatch(left, file.bytes);
      var from = chance.nextBoolean() ? first : first + chance.nextInt(last - first + 1);
      var to = from + chance.nextInt(last - from + 2);
      System.arraycopy(file.bytes, from, left, from, to - from);
    }
    return left;
  }

  private static void loseSectors(byte[] torn, Random chance) {
    for (var at = 0; at < torn.length; at += SECTOR) {
      if (chance.nextBoolean()) {
        Arrays.fill(torn, at, Math.min(torn.length, at + SECTOR), (byte) 0);
      }
    }
  }

  /** What is found when the process was killed here: all of it, and durable is what was. */
  public SimDisk killed() {
    var after = new SimDisk();
    var copies = new IdentityHashMap<SimFile, SimFile>();
    names.forEach(
        (name, file) -> after.names.put(name, copies.computeIfAbsent(file, SimFile::copy)));
    syncedNames.forEach(
        (folder, synced) -> {
          var there = new TreeMap<String, SimFile>();
          synced.forEach(
              (name, file) -> there.put(name, copies.computeIfAbsent(file, SimFile::copy)));
          after.syncedNames.put(folder, there);
        });
    return after;
  }

  /** The same disk again, unhurt, without its lock. */
  public SimDisk copy() {
    var copy = new SimDisk();
    names.forEach((name, file) -> copy.put(name, file.content()));
    names.keySet().forEach(name -> copy.remember(folderOf(name)));
    copy.remember(LargeFormat.FOLDER);
    return copy;
  }

  /** Makes a durable file. */
  public void put(String name, byte[] content) {
    var file = new SimFile();
    file.append(ByteBuffer.wrap(content));
    file.sync();
    names.put(name, file);
    remember(folderOf(name));
  }

  public byte[] content(String name) {
    return Objects.requireNonNull(names.get(name), name).content();
  }

  public List<String> names() {
    return List.copyOf(names.keySet());
  }

  private void remember(String folder) {
    var synced = new TreeMap<String, SimFile>();
    names.forEach(
        (name, file) -> {
          if (folderOf(name).equals(folder)) {
            synced.put(name, file);
          }
        });
    syncedNames.put(folder, synced);
  }

  private static String folderOf(String name) {
    return name.contains("/") ? name.substring(0, name.indexOf('/')) : "";
  }

  @Override
  public DiskFile create(String name) throws IOException {
    change();
    if (refused.test(name)) {
      throw new IOException("No space left on device");
    }
    if (names.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    var file = new SimFile();
    names.put(name, file);
    return new Handle(file);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    var file = names.get(name);
    if (file == null) {
      throw new FileNotFoundException(name);
    }
    return new Handle(file);
  }

  @Override
  public boolean exists(String name) {
    return names.containsKey(name);
  }

  @Override
  public List<String> list(String folder) {
    var found = new ArrayList<String>();
    for (var name : names.keySet()) {
      if (folderOf(name).equals(folder)) {
        found.add(name.substring(folder.isEmpty() ? 0 : folder.length() + 1));
      }
    }
    return found;
  }

  @Override
  public Map<String, Long> sizes(String folder) {
    var found = new HashMap<String, Long>();
    for (var name : list(folder)) {
      found.put(name, (long) content(folder.isEmpty() ? name : folder + "/" + name).length);
    }
    return found;
  }

  @Override
  public void makeFolder(String folder) {
    syncedNames.computeIfAbsent(folder, made -> new TreeMap<>());
  }

  @Override
  public void syncFolder(String folder) throws IOException {
    change();
    remember(folder);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    change();
    names.put(to, names.remove(from));
  }

  @Override
  public void delete(String name) throws IOException {
    change();
    removals += names.remove(name) == null ? 0 : 1;
  }

  @Override
  public long freeBytes() {
    if (capacityBytes == Long.MAX_VALUE) {
      return capacityBytes;
    }
    var own = names.values().stream().mapToLong(file -> file.size).sum();
    return Math.max(0, capacityBytes - othersBytes - own);
  }

  @Override
  public Closeable lock(String name) throws IOException {
    if (locked) {
      throw new IOException("the folder is in use");
    }
    locked = true;
    if (keepsLockFiles && !names.containsKey(name)) {
      change();
      names.put(name, new SimFile());
    }
    return () -> locked = false;
  }

  @Override
  public Closeable guard(String name) {
    return () -> {};
  }

  @Override
  public String describe(String name) {
    return "/sim/" + name;
  }

  private final class Handle implements DiskFile {
    private final SimFile file;
    private boolean closed;

    Handle(SimFile file) {
      this.file = file;
      opened++;
    }

    private void checkOpen() throws IOException {
      if (closed) {
        throw new IOException("closed");
      }
    }

    @Override
    public long size() {
      return file.size;
    }

    @Override
    public void append(ByteBuffer[] pieces, int count) throws IOException {
      checkOpen();
      try {
        change();
      } catch (IOException refused) {
        // Half of it may have got through.
        var first = pieces[0].duplicate();
        file.append(first.limit(first.position() + first.remaining() / 2));
        throw refused;
      }
      var fits = freeBytes();
      for (var i = 0; i < count; i++) {
        if (pieces[i].remaining() > fits) {
          file.append(pieces[i].slice(pieces[i].position(), (int) fits));
          throw new IOException("No space left on device");
        }
        fits -= pieces[i].remaining();
        file.append(pieces[i]);
      }
    }

    @Override
    public void overwrite(ByteBuffer bytes, long position) throws IOException {
      checkOpen();
      change();
      file.overwrite(bytes, (int) position);
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      checkOpen();
      reads++;
      var count = (int) Math.max(0, Math.min(into.remaining(), file.size - position));
      if (count > 0) {
        into.put(file.bytes, (int) position, count);
      }
    }

    @Override
    public void sync() throws IOException {
      checkOpen();
      change();
      file.sync();
    }

    @Override
    public void truncate(long size) throws IOException {
      checkOpen();
      change();
      file.truncate((int) Math.min(file.size, size));
    }

    @Override
    public void close() {
      opened -= closed ? 0 : 1;
      closed = true;
    }
  }
}
