package io.peeklock.conformance.kill;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What a dead broker left behind.
 *
 * @param newest the batch that its newest checkpoint covers; 0 when it has none
 * @param unfinished whether it died while it wrote one
 */
record Checkpoints(long newest, boolean unfinished) {
  private static final String SUFFIX = ".checkpoint";

  /** Fails when one was set aside as damaged: only whole ones ever get their name. */
  static Checkpoints in(Path data) {
    if (!Files.exists(data)) {
      return new Checkpoints(0, false);
    }
    var newest = 0L;
    var unfinished = false;
    for (var file : Objects.requireNonNull(data.toFile().list())) {
      if (file.endsWith(SUFFIX)) {
        newest = Math.max(newest, Long.parseLong(file.replace(SUFFIX, "")));
      }
      if (file.endsWith(SUFFIX + ".damaged")) {
        throw new AssertionError("a recovery found a damaged checkpoint: " + file);
      }
      unfinished |= file.endsWith(SUFFIX + ".new");
    }
    return new Checkpoints(newest, unfinished);
  }
}
