package io.peeklock.conformance.disk;

import io.peeklock.conformance.Folders;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.function.Function;

/** File systems that a test mounts for itself, where it may. */
final class Mounts {
  private Mounts() {}

  /** One in memory, of this size; ends the test as not run where it may not be mounted. */
  static <T> T tmpfs(int mib, Function<Path, T> use) {
    var folder = Folders.fresh("small");
    var said = run("mount", "-t", "tmpfs", "-o", "size=" + mib + "m,mode=0700", "tmpfs", folder);
    if (!said.isEmpty()) {
      remove(folder);
      throw NotRun.because("no file system can be mounted: " + said);
    }
    return use.apply(folder);
  }

  static void unmount(Path folder) {
    var said = run("umount", folder);
    if (!said.isEmpty()) {
      throw new IllegalStateException(said);
    }
    remove(folder);
  }

  private static void remove(Path folder) {
    try {
      Files.delete(folder);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Empty when it worked, else why not. */
  private static String run(Object... command) {
    var words = new ArrayList<String>();
    for (var word : command) {
      words.add(word.toString());
    }
    try {
      var process = new ProcessBuilder(words).redirectErrorStream(true).start();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : words.getFirst() + " said: " + said.strip();
    } catch (IOException missing) {
      return String.valueOf(missing.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while mounting", interrupted);
    }
  }
}
