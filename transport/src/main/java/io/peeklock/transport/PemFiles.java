package io.peeklock.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's certificate and key. When the files change, new peers are shown what is in them
 * then; links that are open stay. Files that are no good are said so, and the last good ones go on:
 * they change one after the other, so that alone is no reason to worry.
 */
public final class PemFiles implements TlsSource {
  private static final Logger LOG = LoggerFactory.getLogger(PemFiles.class);
  private static final Duration WARN_BEFORE = Duration.ofDays(30);

  private final Path certificate;
  private final Path key;
  private volatile CompletableFuture<TlsIdentity> identity;
  private Seen seen;
  private Seen complainedAbout;
  private Instant warned = Instant.EPOCH;

  /** What tells one state of the files from another. */
  private record Seen(FileTime certificate, FileTime key, long certificateBytes, long keyBytes) {
    static Seen of(Path certificate, Path key) throws IOException {
      return new Seen(
          Files.getLastModifiedTime(certificate),
          Files.getLastModifiedTime(key),
          Files.size(certificate),
          Files.size(key));
    }
  }

  private PemFiles(Path certificate, Path key, Seen seen, TlsIdentity first) {
    this.certificate = certificate;
    this.key = key;
    this.seen = seen;
    this.complainedAbout = seen;
    this.identity = CompletableFuture.completedFuture(first);
  }

  /**
   * Reads them.
   *
   * @throws IOException as {@link TlsIdentity#load} does
   */
  public static PemFiles load(Path certificate, Path key) throws IOException {
    var first = TlsIdentity.load(certificate, key); // says which file it is that is not there
    var files = new PemFiles(certificate, key, Seen.of(certificate, key), first);
    files.warnWhenNear(Instant.now());
    return files;
  }

  @Override
  public CompletableFuture<TlsIdentity> identity() {
    return identity;
  }

  /**
   * Looks whether the files have changed, and reads them when they have. Blocks for their reading;
   * not for two threads at once.
   */
  public void refresh() {
    try {
      var now = Seen.of(certificate, key);
      if (!now.equals(seen)) {
        read(now);
      }
    } catch (IOException gone) {
      LOG.debug("TLS files cannot be looked at", gone);
    }
    warnWhenNear(Instant.now());
  }

  private void read(Seen now) {
    try {
      var next = TlsIdentity.load(certificate, key);
      identity = CompletableFuture.completedFuture(next);
      seen = now;
      complainedAbout = now;
      LOG.info("The TLS certificate was read again; it is valid until {}", next.validUntil());
    } catch (IOException unusable) {
      if (!now.equals(complainedAbout)) {
        complainedAbout = now;
        LOG.error("{}; the last good one goes on", unusable.getMessage());
      }
    }
  }

  private void warnWhenNear(Instant now) {
    var until = identity.join().validUntil();
    if (now.isAfter(until.minus(WARN_BEFORE)) && now.isAfter(warned.plus(Duration.ofDays(1)))) {
      warned = now;
      LOG.warn("The TLS certificate {} is valid until {} only", certificate, until);
    }
  }
}
