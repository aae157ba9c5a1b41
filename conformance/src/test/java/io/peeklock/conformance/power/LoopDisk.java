package io.peeklock.conformance.power;

import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file system in a file, whose power can be cut: it is told to shut down at once without writing
 * anything more, so that unmounted and mounted again it has what was synced and nothing else. That
 * is checked before it is believed, and again at every cut.
 */
final class LoopDisk implements AutoCloseable {
  // Sparse. The broker wants a quarter of it free.
  private static final long BYTES = 1L << 30;

  // FS_IOC_SHUTDOWN, _IOR('X', 125, __u32), with the flag "do not flush the log"; ext4 and XFS have
  // it in common.
  private static final String SHUT_DOWN =
      "open(my $d, '<', $ARGV[0]) or die $!; my $f = pack('L', 2);"
          + " ioctl($d, 0x8004587D, $f) or die $!;";

  private static final String ANCHOR = "anchor";

  private final FileSystemKind kind;
  private final Path image;
  private final Path root;
  private int cuts;
  private boolean kept;

  private LoopDisk(FileSystemKind kind, Path image, Path root) {
    this.kind = kind;
    this.image = image;
    this.root = root;
  }

  /** A new empty one, mounted; ends the test as not run where that cannot be. */
  static LoopDisk mounted(FileSystemKind kind) throws IOException {
    var missing = kind.missing();
    if (missing.isPresent()) {
      throw NotRun.because(missing.get());
    }
    var folder = Files.createDirectories(Folders.module().resolve("target/power"));
    var disk =
        new LoopDisk(
            kind,
            folder.resolve(kind.word() + ".image"),
            Files.createDirectories(folder.resolve(kind.word())));
    disk.unmountLeftOver();
    disk.make();
    var mounted = Command.run(disk.mountCommand());
    if (mounted.exitCode() != 0) {
      throw NotRun.because("mount: " + mounted.said());
    }
    try {
      disk.proveThatItForgets();
      return disk;
    } catch (IOException | RuntimeException | AssertionError failed) {
      disk.close();
      throw failed;
    }
  }

  private void make() throws IOException {
    Files.deleteIfExists(image);
    try (var file =
        FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[1]), BYTES - 1);
    }
    var command = new ArrayList<>(kind.make());
    command.add(image.toString());
    Command.must(command.toArray(String[]::new));
  }

  private List<String> mountCommand() {
    return List.of(
        "mount", "-t", kind.word(), "-o", kind.mountOptions(), image.toString(), root.toString());
  }

  /** Where it is mounted. */
  Path root() {
    return root;
  }

  /** How often the power was cut, each time with the proof that something was forgotten. */
  int cuts() {
    return cuts;
  }

  private void proveThatItForgets() throws IOException {
    write(ANCHOR, "synced", true);
    try (var folder = FileChannel.open(root, StandardOpenOption.READ)) {
      folder.force(true);
    }
    Files.writeString(
        root.resolve(ANCHOR), ", not synced", StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
    cut();
    powerOn();
    var kept = Files.readString(root.resolve(ANCHOR), StandardCharsets.US_ASCII);
    if (!kept.equals("synced")) {
      throw new AssertionError("after a cut, what was synced reads: " + kept);
    }
    Files.delete(root.resolve(ANCHOR));
  }

  private void write(String name, String text, boolean sync) throws IOException {
    try (var file =
        FileChannel.open(
            root.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      if (sync) {
        file.force(true);
      }
    }
  }

  /** From now on nothing is written any more, and every write and sync fails. */
  void cut() throws IOException {
    write(canary(), "not synced", false);
    Command.must("perl", "-e", SHUT_DOWN, root.toString());
  }

  private String canary() {
    return "canary-" + cuts;
  }

  /** As after a start of the machine; nobody may have a file open. */
  void powerOn() throws IOException {
    Patience.until("unmounted " + root, this::unmounted);
    Command.must(mountCommand().toArray(String[]::new));
    var canary = root.resolve(canary());
    // Another's sync may have brought the name along, never the bytes.
    if (Files.exists(canary) && Files.size(canary) > 0) {
      throw new AssertionError("the cut did not lose what was not synced: " + canary);
    }
    Files.deleteIfExists(canary);
    cuts++;
  }

  private boolean unmounted() {
    return Command.run(List.of("umount", root.toString())).exitCode() == 0;
  }

  /** An earlier run may have been killed. */
  private void unmountLeftOver() {
    while (unmounted()) {
      // One mount lies on another.
    }
  }

  /** How long a sync of 4 KiB takes here, the median of some, in microseconds. */
  long syncMicros() throws IOException {
    var micros = new ArrayList<Long>();
    var probe = root.resolve("probe");
    try (var file =
        FileChannel.open(probe, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (var i = 0; i < 201; i++) {
        file.write(ByteBuffer.allocate(4_096));
        var began = System.nanoTime();
        file.force(false);
        micros.add((System.nanoTime() - began) / 1_000);
      }
    }
    Files.delete(probe);
    return micros.stream().sorted().toList().get(micros.size() / 2);
  }

  /** Leaves the file behind, until the next run; says where it is. */
  Path keep() {
    kept = true;
    return image;
  }

  @Override
  public void close() throws IOException {
    Patience.until("unmounted " + root, this::unmounted);
    if (!kept) {
      Files.deleteIfExists(image);
    }
    Files.deleteIfExists(root);
  }
}
