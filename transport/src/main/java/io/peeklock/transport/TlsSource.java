package io.peeklock.transport;

import java.util.concurrent.CompletableFuture;

/** Where the certificate comes from that new peers are shown. */
@FunctionalInterface
public interface TlsSource {

  /**
   * The one to show to a peer that comes now. Callable from any thread, and at once back; it may
   * complete later, on any thread, and exceptionally when there is none.
   */
  CompletableFuture<TlsIdentity> identity();
}
