package io.peeklock.conformance.power;

import io.peeklock.conformance.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system that can be told to forget what was not synced. */
enum FileSystemKind {
  /** Its journal is committed every few seconds unless told otherwise; here, only by syncs. */
  EXT4("mkfs.ext4", "-F", "commit=600"),

  /** Its log is written by syncs, and every half minute. */
  XFS("mkfs.xfs", "-f", "defaults");

  private final String maker;
  private final String force;
  private final String mountOptions;

  FileSystemKind(String maker, String force, String mountOptions) {
    this.maker = maker;
    this.force = force;
    this.mountOptions = mountOptions;
  }

  /** What makes an empty one in a file. */
  List<String> make() {
    return List.of(maker, "-q", force);
  }

  String mountOptions() {
    return "loop," + mountOptions;
  }

  /** As the kernel calls it. */
  String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** What this machine lacks for it, if anything. */
  Optional<String> missing() {
    if (!System.getProperty("user.name", "").equals("root")) {
      return Optional.of("only root may mount " + word());
    }
    if (!Files.exists(Path.of("/dev/loop-control"))) {
      return Optional.of("no loop devices on this machine");
    }
    for (var program : List.of(maker, "mount", "umount", "perl")) {
      if (!Command.exists(program)) {
        return Optional.of("no " + program + " on this machine");
      }
    }
    return known() ? Optional.empty() : Optional.of("the kernel does not know " + word());
  }

  private boolean known() {
    try (var lines = Files.lines(Path.of("/proc/filesystems"))) {
      return lines.anyMatch(line -> line.strip().equals(word()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
