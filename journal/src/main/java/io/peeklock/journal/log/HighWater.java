package io.peeklock.journal.log;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.segment.Segment;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.LogThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outside of the log up to where it is durable, so that a log that ends earlier is
 * recognised as a loss and not as a torn end. The mark is written after each sync of the log, never
 * before. It has three places: one is being written, one may be on its way to the disk, and one is
 * durable; so a mark survives any loss of power.
 *
 * <p>A killed process leaves the newest mark. Against a loss of power the mark is synced
 * separately: once a second while there is work, and when work ends. A failure here is logged and
 * tried again, and does not fail the log.
 *
 * <p>Runs on the log's thread, and on the files' thread for slow operations.
 */
public final class HighWater {
  public static final String NAME = "highwater";

  /** How long a mark may stay unsynced, plus the time of the sync. */
  public static final long SYNC_MILLIS = 1_000;

  static final int BYTES = 64;
  private static final Logger LOG = LoggerFactory.getLogger(HighWater.class);
  private static final String FRESH = NAME + ".new";
  private static final HeadLayout LAYOUT =
      new HeadLayout(0x0A48_4749_484B_4C50L, BYTES); // "PLKHIGH\n"

  /** The bytes that a disk may damage when power fails during a write. */
  private static final int PLACE_BYTES = 4_096;

  private static final int PLACES = 3;

  private final Disk disk;
  private final JournalExecutors executors;
  private final CommitNotifier outcome;
  private final ByteBuffer room = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Whether recovery succeeded; before that nothing may be changed. */
  private volatile boolean begun;

  private volatile @Nullable DiskFile file;
  private volatile Mark newest = new Mark(0, 0, 0, 0);
  private volatile long syncedIndex;
  private volatile boolean reported;
  private volatile boolean syncing;
  private volatile boolean synced = true;

  // The log's thread's.
  private int place;
  private boolean armed;

  /**
   * The position up to which the log was durable.
   *
   * @param segment the index that the segment's name has
   * @param offset where the batch ends in it
   */
  public record Mark(long term, long index, long segment, long offset) {
    private void write(ByteBuffer out, int at) {
      LAYOUT.begin(out, at);
      HeadLayout.put(out, at, 0, term);
      HeadLayout.put(out, at, 1, index);
      HeadLayout.put(out, at, 2, segment);
      HeadLayout.put(out, at, 3, offset);
      LAYOUT.seal(out, at);
    }

    private static @Nullable Mark read(ByteBuffer in, int at, String file) throws IOException {
      if (!LAYOUT.isAt(in, at, file)) {
        return null;
      }
      return new Mark(
          HeadLayout.number(in, at, 0),
          HeadLayout.number(in, at, 1),
          HeadLayout.number(in, at, 2),
          HeadLayout.number(in, at, 3));
    }
  }

  /** Creates the mark's keeper; {@link #begin} starts it. */
  public HighWater(Disk disk, JournalExecutors executors, CommitNotifier outcome) {
    this.disk = disk;
    this.executors = executors;
    this.outcome = outcome;
  }

  /**
   * The mark of a folder; null when there is none, as in older folders, or none is intact.
   *
   * @throws IOException when it cannot be read, or is of a newer format
   */
  public static @Nullable Mark read(Disk disk) throws IOException {
    var found = find(disk);
    return found == null ? null : found.mark;
  }

  private record Found(Mark mark, int place) {}

  private static @Nullable Found find(Disk disk) throws IOException {
    if (!disk.exists(NAME)) {
      return null;
    }
    var bytes = ByteBuffer.allocate(PLACES * PLACE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (var from = disk.open(NAME)) {
      from.read(bytes, 0);
    }
    Found newest = null;
    for (var place = 0; place < PLACES; place++) {
      var mark = Mark.read(bytes, place * PLACE_BYTES, disk.describe(NAME));
      if (mark != null && (newest == null || mark.index > newest.mark.index)) {
        newest = new Found(mark, place);
      }
    }
    return newest;
  }

  /** Starts after a recovery, before the first append. */
  public void begin(Recovered found) {
    begun = true;
    var open = found.open();
    newest =
        new Mark(
            found.lastTerm(),
            found.lastIndex(),
            open == null ? 0 : open.firstIndex,
            open == null ? 0 : open.bytes);
    attempt(
        () -> {
          var before = find(disk);
          if (before == null) {
            create();
          } else {
            file = openSynced();
            place = (before.place + 1) % PLACES;
            write();
          }
        });
  }

  /** The file, synced, as a killed process may have left it unsynced. */
  private DiskFile openSynced() throws IOException {
    var opened = disk.open(NAME);
    try {
      opened.sync();
      return opened;
    } catch (IOException | RuntimeException | Error failure) {
      opened.close();
      throw failure;
    }
  }

  /** Records that the log is durable up to here. */
  @LogThread
  void durable(long term, long index, Segment segment, long offset) {
    newest = new Mark(term, index, segment.firstIndex, offset);
    attempt(
        () -> {
          write();
          arm();
        });
  }

  /** Syncs the mark at once, as there is no more work. */
  @LogThread
  public void quiet() {
    attempt(this::syncSoon);
  }

  /**
   * Nothing more is written.
   *
   * @param withSync whether to sync the mark; not after a failure, when the disk is left alone
   */
  @LogThread
  public void close(boolean withSync) {
    attempt(
        () ->
            executors.files(
                () -> {
                  if (withSync && begun) {
                    attempt(this::sync);
                  }
                  attempt(this::closeFile);
                }));
  }

  /** Whether a mark is durable, so that the log may record that it has one. */
  @AnyThread
  public boolean isKept() {
    return file != null;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Runs a step. After any exception the log continues; the mark is only older then. */
  private void attempt(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error failure) {
      if (!reported) {
        reported = true;
        LOG.warn(
            "Up to where the log is durable cannot be written to {} and is tried again: {}",
            disk.describe(NAME),
            String.valueOf(failure.getMessage()));
      }
    }
  }

  /** Writes the mark, which never names a batch that is not durable in the log. */
  private void write() throws IOException {
    var to = file;
    if (to != null) {
      newest.write(room, 0);
      to.overwrite(room.clear(), (long) place * PLACE_BYTES);
    }
  }

  private void arm() {
    if (!armed) {
      executors.logLater(
          SYNC_MILLIS,
          () -> {
            armed = false;
            attempt(this::syncSoon);
          });
      armed = true;
    }
  }

  private void syncSoon() {
    if (outcome.ended() || syncing || (syncedIndex >= newest.index && file != null)) {
      return;
    }
    if (synced) {
      place = (place + 1) % PLACES;
    }
    synced = false;
    syncing = true;
    var given = false;
    try {
      executors.files(() -> attempt(this::sync));
      given = true;
    } finally {
      if (!given) { // otherwise it may be done by now
        syncing = false;
      }
    }
  }

  private void sync() throws IOException {
    try {
      var index = newest.index;
      var to = file;
      if (to == null || !disk.exists(NAME)) { // it may have been removed
        closeFile();
        create();
      } else {
        to.sync();
      }
      syncedIndex = index;
      synced = true;
    } finally {
      syncing = false;
    }
    if (reported) {
      reported = false;
      LOG.info("{} is written again", disk.describe(NAME));
    }
  }

  /** Creates the file at its full size, so that later writes need no space. */
  private void create() throws IOException {
    var bytes = ByteBuffer.allocateDirect(PLACES * PLACE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (var at = 0; at < bytes.capacity(); at += PLACE_BYTES) {
      newest.write(bytes, at);
    }
    disk.delete(FRESH);
    try (var fresh = disk.create(FRESH)) {
      fresh.append(new ByteBuffer[] {bytes}, 1);
      fresh.sync();
    }
    disk.rename(FRESH, NAME);
    disk.syncFolder("");
    file = disk.open(NAME);
  }

  private void closeFile() throws IOException {
    var open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
