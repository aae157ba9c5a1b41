package io.peeklock.server;

import io.netty.util.internal.PlatformDependent;
import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.transport.ConnectionLimits;
import java.util.Map;

/**
 * How much of the memory each namespace may fill: equal shares. Of the direct memory of bodies
 * there is room besides for bodies that somebody is being sent. Memory of the network is apart:
 * what is half received, answers, and what sockets have not taken yet.
 *
 * @param heapBytes of the process
 * @param networkBytes direct memory of the network
 * @param bodyBytes direct memory of the bodies of all namespaces
 * @param namespaces that there are
 * @param said what the operator says of budgets by their names, in bytes, of all namespaces
 */
record MemoryShare(
    long heapBytes, long networkBytes, long bodyBytes, int namespaces, Map<String, Long> said) {
  private static final long MIB = 1L << 20;
  private static final long MOST_IN_MEMORY = 512 * MIB;
  private static final long MOST_MAILBOX = 32 * MIB;
  private static final long MOST_RESIDENT = 256 * MIB;
  private static final long MOST_STAGED = 64 * MIB;
  private static final long MOST_LARGE_PIECES = 128 * MIB;
  private static final long MOST_METRICS = 128 * MIB;
  private static final long SMALL_HEAP = 100 * MIB;
  private static final long LEAST_HEAP = 48 * MIB;

  private static final long MOST_STAGED_LARGE = 512 * MIB;

  /**
   * Of a request's head each unauthenticated client may have so much, all an eighth of the heap.
   */
  private static final long UNAUTHENTICATED_HEAD = 64 << 10;

  private static final int UNAUTHENTICATED_PART = 8;

  private static final String OF_NETTY = "io.netty.maxDirectMemory";

  /** Of this process, as the launcher has laid it out. */
  static MemoryShare of(int namespaces) {
    return of(
        Runtime.getRuntime().maxMemory(),
        PlatformDependent.estimateMaxDirectMemory(),
        Long.getLong(OF_NETTY, 0),
        namespaces);
  }

  /**
   * Of so much memory. The JVM bounds the direct memory of network and bodies in sum.
   *
   * @param ofNetty the part of the network; half of the direct memory when nobody says, or when
   *     flags of the operator leave no more than that
   */
  static MemoryShare of(long heap, long direct, long ofNetty, int namespaces) {
    var network = ofNetty > 0 && ofNetty < direct ? ofNetty : direct / 2;
    return new MemoryShare(heap, network, direct - network, namespaces);
  }

  /** Nothing is said. */
  MemoryShare(long heapBytes, long networkBytes, long bodyBytes, int namespaces) {
    this(heapBytes, networkBytes, bodyBytes, namespaces, Map.of());
  }

  /** How many connections may be unauthenticated. */
  int unauthenticated() {
    var most = ConnectionLimits.DEFAULT.unauthenticated();
    return Math.clamp(heapBytes / UNAUTHENTICATED_PART / UNAUTHENTICATED_HEAD, 1, most);
  }

  /** What the heads of requests of all of them may take of the heap. */
  long unauthenticatedHeadBytes() {
    return unauthenticated() * UNAUTHENTICATED_HEAD;
  }

  /** The same where the operator says something. */
  MemoryShare saying(Map<String, Long> budgets) {
    return new MemoryShare(heapBytes, networkBytes, bodyBytes, namespaces, budgets);
  }

  /** The share of one namespace: of what is said, else of the memory. */
  private long share(String name, long otherwise) {
    var all = said.get(name);
    return all == null ? otherwise : all / namespaces;
  }

  /** Requests of a namespace that wait for its shard. */
  long mailbox() {
    return share("mailbox", Math.min(MOST_MAILBOX, heapBytes / 8 / namespaces));
  }

  /**
   * Messages of a namespace that wait for the sockets of their receivers. Their frames, in buffers
   * that double as they grow, take up to twice as much.
   */
  long deliveries() {
    return share("deliveries", networkBytes / 8 / namespaces);
  }

  /**
   * Metrics of the entities of a namespace, of the heap that is left when the heap is not small.
   */
  long metrics() {
    var byMemory = Math.min(MOST_METRICS, (heapBytes - SMALL_HEAP) / 8);
    return Math.max(MIB, share("metrics", byMemory / namespaces));
  }

  /**
   * What the stored messages of a namespace may take of the heap, wherever their bodies are, of the
   * heap that is left when the heap is not small. Copies may take an eighth more.
   */
  long messages() {
    return Math.max(MIB, share("messages", (heapBytes - LEAST_HEAP) / 4 / namespaces));
  }

  /**
   * What a namespace in memory may fill.
   *
   * @throws ConfigurationException when that is next to nothing
   */
  long inMemory() {
    var share = Math.min(MOST_IN_MEMORY, bodyBytes / 3 * 2 / namespaces);
    if (share < MIB) {
      throw new ConfigurationException(
          "in memory each of "
              + namespaces
              + " namespaces needs 1.5 MiB of direct memory for bodies, and there are "
              + bodyBytes / MIB
              + " MiB; PEEKLOCK_BODY_MEMORY gives more");
    }
    return share;
  }

  /**
   * The same where the operator says how much.
   *
   * @throws ConfigurationException when there is not so much
   */
  long inMemory(long wanted) {
    var needed = namespaces * MemoryJournal.mostBytes(wanted);
    if (needed > bodyBytes) {
      throw new ConfigurationException(
          "memory-megabytes: "
              + wanted / MIB
              + " MiB for each of "
              + namespaces
              + " namespaces need "
              + needed / MIB
              + " MiB of direct memory, and there are "
              + bodyBytes / MIB
              + "; PEEKLOCK_BODY_MEMORY gives more");
    }
    return wanted;
  }

  /**
   * Bodies that a namespace on disk keeps in memory; a quarter as much of the heap may go with it.
   */
  long resident() {
    var most = Math.min(bodyBytes / 3, heapBytes / 4) / namespaces;
    return share("resident_bodies", Math.min(MOST_RESIDENT, most));
  }

  /** Bodies of a namespace on disk that are not in its log yet. */
  long staged() {
    return share("staged_bodies", Math.min(MOST_STAGED, bodyBytes / 12 / namespaces));
  }

  /** Pieces of large bodies of a namespace on their way to the disk; 1 MiB at least. */
  long largePieces() {
    var byMemory = Math.min(MOST_LARGE_PIECES, bodyBytes / 6 / namespaces);
    return Math.max(MIB, share("large_pieces", byMemory));
  }

  /** Files of large bodies of a namespace that are not in its log yet: of the disk. */
  long stagedLarge() {
    return share("staged_large_bodies", MOST_STAGED_LARGE);
  }
}
