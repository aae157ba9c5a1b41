package io.peeklock.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The names by which clients reach the broker. A page that somebody opens in a browser can make it
 * connect to any address that this browser reaches, by a name that the page's owner has; so names
 * that anybody can own are refused, unless the operator names them (design.md 5). In TLS the
 * browser looks at the certificate, and then other machines may use any name.
 */
public final class HostNames {
  private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.[0-9]{1,3}){3}");
  private static final Set<String> LOOPBACK = Set.of("localhost", "[::1]", "[0:0:0:0:0:0:0:1]");

  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+]");

  /** Nobody can own a name that ends so: RFC 6761, RFC 6762, RFC 8375, and "internal" by ICANN. */
  private static final List<String> PRIVATE =
      List.of(".localhost", ".local", ".internal", ".test", ".home.arpa");

  private final Set<String> more;

  /**
   * The names of loopback and some more.
   *
   * @param more names without ports; case is ignored
   */
  public HostNames(Iterable<String> more) {
    this.more =
        StreamSupport.stream(more.spliterator(), false)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether it is one of ours: {@code name} or {@code name:port}. */
  public boolean own(String authority) {
    var name = withoutPort(authority.toLowerCase(Locale.ROOT));
    return LOOPBACK.contains(name)
        || name.endsWith(".localhost")
        || LOOPBACK_V4.matcher(name).matches()
        || more.contains(name);
  }

  /**
   * Whether anybody may own it: not an address, nor a name without a dot, as those of containers,
   * nor one of a private network.
   */
  boolean ownable(String authority) {
    var name = withoutPort(authority.toLowerCase(Locale.ROOT));
    return !(own(authority)
        || name.indexOf('.') < 0
        || ADDRESS.matcher(name).matches()
        || PRIVATE.stream().anyMatch(name::endsWith));
  }

  /**
   * Whether a page of this origin was served by us under the name that it now asks for. Browsers
   * leave out the port that belongs to the scheme.
   */
  static boolean sameOrigin(String origin, String authority) {
    var scheme = origin.indexOf("://");
    if (scheme < 0) {
      return false; // "null": a file, or a page that hides where it is from
    }
    var port = origin.startsWith("https") || origin.startsWith("wss") ? ":443" : ":80";
    var from = withPort(origin.substring(scheme + 3).toLowerCase(Locale.ROOT), port);
    return from.equals(withPort(authority.toLowerCase(Locale.ROOT), port));
  }

  private static String withPort(String authority, String port) {
    return withoutPort(authority).equals(authority) ? authority + port : authority;
  }

  private static String withoutPort(String authority) {
    var colon = authority.lastIndexOf(':');
    var inBrackets = authority.indexOf(']', Math.max(colon, 0)) >= 0;
    return colon < 0 || inBrackets ? authority : authority.substring(0, colon);
  }
}
