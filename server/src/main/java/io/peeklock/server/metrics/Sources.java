package io.peeklock.server.metrics;

import io.peeklock.transport.ConnectionCounts;
import java.util.List;

/** Where metrics come from. Every method may be called from any thread. */
public interface Sources {
  /** The version of the program. */
  String version();

  /** The namespaces, at least one; always the same ones. */
  List<? extends NamespaceSource> namespaces();

  /** Who is connected. */
  ConnectionCounts connections();
}
