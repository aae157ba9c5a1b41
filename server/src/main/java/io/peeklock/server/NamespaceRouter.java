package io.peeklock.server;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection belongs, by what is known of it so far. The port that it came to says it for
 * good; else the name in its TLS handshake, which no other name may overrule; else the names that
 * it sends later, one by one.
 *
 * @param <T> what stands for a namespace
 * @param start where it is now
 */
record NamespaceRouter<T>(HostTable<T> hosts, T start, Firmness firmness) {

  /** How much later names may change. */
  enum Firmness {
    /** Everything: nothing was named. */
    OPEN,
    /** Nothing: a namespace was named, and who names another is refused. */
    NAMED,
    /** Nothing: names do not count here. */
    BOUND
  }

  /** One about which nothing is known. */
  static <T> NamespaceRouter<T> among(HostTable<T> hosts, T otherwise) {
    return new NamespaceRouter<>(hosts, otherwise, Firmness.OPEN);
  }

  /** One that is made already, whatever is named. */
  static <T> NamespaceRouter<T> only(T meaning) {
    return new NamespaceRouter<>(new HostTable<>(), meaning, Firmness.BOUND);
  }

  /**
   * The same choice among parts of what it is among.
   *
   * @param parts of all that have a name
   */
  <R> NamespaceRouter<R> of(HostTable<R> parts, Function<T, R> part) {
    return new NamespaceRouter<>(parts, part.apply(start), firmness);
  }

  /**
   * Where it belongs once it names a host.
   *
   * @param host null for none
   * @param present where it is by now
   * @return null when it must not go there
   */
  @Nullable T named(@Nullable String host, T present) {
    var meant = firmness == Firmness.BOUND ? null : hosts.of(host);
    if (meant == null) {
      return present;
    }
    return firmness == Firmness.NAMED && !meant.equals(start) ? null : meant;
  }

  /** The same for a connection that is where it was. */
  @Nullable T named(@Nullable String host) {
    return named(host, start);
  }

  /** The choice after a name that it sent, and that later ones must not contradict. */
  NamespaceRouter<T> after(@Nullable String host) {
    var meant = hosts.of(host);
    return firmness == Firmness.OPEN && meant != null
        ? new NamespaceRouter<>(hosts, meant, Firmness.NAMED)
        : this;
  }
}
