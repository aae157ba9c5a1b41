package io.peeklock.transport;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate authority of this broker alone, for where nobody brings a certificate, and the
 * certificate that it gives the broker. Made when the first peer asks for TLS, which costs a part
 * of a second that most starts never need; kept in a folder, or in memory.
 *
 * <p>The authority lasts ten years, for clients are told to trust it by hand. The certificate lasts
 * a year, no client takes longer ones for granted, and is made again when it is about to end or
 * lacks a name.
 */
public final class LocalAuthority implements TlsSource {
  /** What clients are to trust; in the folder. */
  private static final String CA = "ca.pem";

  private static final Logger LOG = LoggerFactory.getLogger(LocalAuthority.class);
  private static final String CA_KEY = "ca-key.pem";
  private static final String SERVER = "server.pem";
  private static final Duration RENEW_BEFORE = Duration.ofDays(30);

  /** Makes an authority, which takes its time. */
  interface Creation {
    Issuer create() throws IOException;
  }

  private final @Nullable Path folder;
  private final List<String> names;
  private final Executor maker;
  private final Creation creation;
  private final Object making = new Object(); // never held by who only asks: making takes seconds
  private @Nullable Issuer issuer;
  private @Nullable CompletableFuture<TlsIdentity> current;
  private boolean renewing;

  /**
   * Nothing is read or made yet.
   *
   * @param folder where all of it is kept, made when needed; null to keep it in memory
   * @param names host names and addresses for the certificate
   * @param maker runs what takes time
   */
  public LocalAuthority(@Nullable Path folder, List<String> names, Executor maker) {
    // A method reference would load Issuer, and with it check Bouncy Castle's jars, at each start.
    this(folder, names, maker, () -> Issuer.create());
  }

  /** The same with another way to make an authority. */
  LocalAuthority(@Nullable Path folder, List<String> names, Executor maker, Creation creation) {
    this.creation = creation;
    this.folder = folder;
    this.names = List.copyOf(names);
    this.maker = maker;
  }

  @Override
  public synchronized CompletableFuture<TlsIdentity> identity() {
    var known = current;
    if (known == null || known.isCompletedExceptionally()) {
      known = CompletableFuture.supplyAsync(this::make, maker);
      current = known;
    } else if (isOld(known) && !renewing) { // until there is a new one the old one is good enough
      renewing = true;
      var unused = CompletableFuture.supplyAsync(this::make, maker).whenComplete(this::renewed);
    }
    return known;
  }

  private synchronized void renewed(@Nullable TlsIdentity next, @Nullable Throwable failed) {
    renewing = false;
    if (next != null) {
      current = CompletableFuture.completedFuture(next);
    }
  }

  private static boolean isOld(CompletableFuture<TlsIdentity> known) {
    return known.isDone() && Instant.now().isAfter(known.join().validUntil().minus(RENEW_BEFORE));
  }

  private TlsIdentity make() {
    try {
      return kept();
    } catch (IOException failed) {
      LOG.error("TLS is not possible: {}", failed.getMessage());
      throw new CompletionException(failed);
    }
  }

  /**
   * The certificate of the authority in PEM, for clients to trust; makes an authority where there
   * is none yet. Blocks.
   *
   * @throws IOException when the folder cannot be read or written
   */
  public String certificate() throws IOException {
    return issuer().certificatePem();
  }

  private TlsIdentity kept() throws IOException {
    var authority = issuer();
    if (folder == null) {
      return authority.issue(names).identity();
    }
    var file = folder.resolve(SERVER);
    if (Files.exists(file)) {
      var known = authority.read(OwnerFiles.read(file));
      if (known != null && known.covers(names) && known.lastsFor(RENEW_BEFORE)) {
        return known.identity();
      }
    }
    var fresh = authority.issue(names);
    OwnerFiles.replace(file, fresh.pem());
    return fresh.identity();
  }

  private Issuer issuer() throws IOException {
    synchronized (making) {
      var known = issuer;
      if (known == null) {
        known = folder == null ? creation.create() : kept(folder);
        issuer = known;
      }
      return known;
    }
  }

  /** Two processes may come here at once: the broker, and a command that exports. */
  private Issuer kept(Path folder) throws IOException {
    if (!Files.exists(folder.resolve(CA))) {
      var made = creation.create();
      var draft = OwnerFiles.draftBeside(folder);
      OwnerFiles.write(draft.resolve(CA_KEY), made.keyPem());
      OwnerFiles.write(draft.resolve(CA), made.certificatePem());
      try {
        Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
        LOG.info("Made a certificate authority in {}", folder);
        return made;
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException other) {
        OwnerFiles.deleteFolder(draft);
      }
    }
    return Issuer.of(Files.readString(folder.resolve(CA)), OwnerFiles.read(folder.resolve(CA_KEY)));
  }
}
