package io.peeklock.server;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What host names mean. A host is known by its whole name, or else by its first label: {@code
 * tests}, {@code tests.localhost} and {@code tests.servicebus.windows.net} are the same. Case, a
 * port and a dot at the end are ignored. Not changed once it is in use.
 *
 * @param <T> what they mean
 */
final class HostTable<T> {
  private final Map<String, T> hosts = new HashMap<>();
  private final Map<String, T> labels = new HashMap<>();

  /** A whole name, such as {@code queues.example.com}. */
  HostTable<T> host(String name, T meaning) {
    hosts.put(bare(name), meaning);
    return this;
  }

  /** A first label. */
  HostTable<T> label(String name, T meaning) {
    labels.put(name.toLowerCase(Locale.ROOT), meaning);
    return this;
  }

  /** The same names with what follows from their meanings. */
  <R> HostTable<R> map(Function<T, R> function) {
    var mapped = new HostTable<R>();
    hosts.forEach((name, meaning) -> mapped.hosts.put(name, function.apply(meaning)));
    labels.forEach((name, meaning) -> mapped.labels.put(name, function.apply(meaning)));
    return mapped;
  }

  /**
   * What a name means.
   *
   * @param host as a client sent it, or null
   * @return null when it means nothing
   */
  @Nullable T of(@Nullable String host) {
    if (host == null) {
      return null;
    }
    var name = bare(host);
    var whole = hosts.get(name);
    var dot = name.indexOf('.');
    return whole != null ? whole : labels.get(dot < 0 ? name : name.substring(0, dot));
  }

  private static String bare(String host) {
    var colon = host.lastIndexOf(':');
    var inBrackets = host.indexOf(']', Math.max(colon, 0)) >= 0;
    var end = colon < 0 || inBrackets ? host.length() : colon;
    if (end > 0 && host.charAt(end - 1) == '.') {
      end--;
    }
    return host.substring(0, end).toLowerCase(Locale.ROOT);
  }
}
