package io.peeklock.http.admin;

import io.netty.buffer.ByteBufInputStream;
import io.peeklock.http.HttpCall;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNode;
import org.jspecify.annotations.Nullable;

/**
 * A request, taken apart.
 *
 * @param base scheme and authority, without a slash at the end
 * @param version what the client calls the version of the API; echoed
 * @param body null where there is none
 */
record AdminRequest(
    HttpCall call,
    AdminPath target,
    String method,
    String base,
    String version,
    @Nullable XmlNode body) {

  private static final String NEWEST = "2021-05";
  private static final int MOST_OF_VERSION = 32;
  private static final int DEFAULT_PAGE = 100;
  private static final int LARGEST_PAGE = 1_000;

  static AdminRequest of(HttpCall call, AdminPath target) {
    var head = call.head();
    var version = head.query("api-version");
    return new AdminRequest(
        call,
        target,
        head.method().equals("HEAD") ? "GET" : head.method(),
        (call.tls() ? "https://" : "http://") + head.authority(),
        version == null || version.isEmpty() || version.length() > MOST_OF_VERSION
            ? NEWEST
            : version,
        null);
  }

  /** The same with its body, which is read now. */
  AdminRequest read() {
    var xml = XmlNode.read(new ByteBufInputStream(call.body().slice()));
    return new AdminRequest(call, target, method, base, version, xml);
  }

  @Nullable String header(String name) {
    return call.head().header(name);
  }

  /** Whether what is there is to be changed; clients send a star and nothing else. */
  boolean updates() {
    return header("If-Match") != null;
  }

  /** The host that the client wanted, without its port. */
  String host() {
    var authority = call.head().authority();
    var colon = authority.lastIndexOf(':');
    return colon < 0 || authority.indexOf(']', colon) >= 0
        ? authority
        : authority.substring(0, colon);
  }

  /** What the vendor calls a namespace: the first label of its host, but all of an address. */
  String namespace() {
    var host = host();
    var dot = host.indexOf('.');
    return dot < 0 || Character.isDigit(host.charAt(0)) || host.charAt(0) == '['
        ? host
        : host.substring(0, dot);
  }

  int skip() {
    return number("$skip", 0, 0);
  }

  /** How many are wanted at once. */
  int top() {
    return Math.min(LARGEST_PAGE, number("$top", DEFAULT_PAGE, 1));
  }

  private int number(String name, int otherwise, int least) {
    var text = call.head().query(name);
    if (text == null || text.isEmpty()) {
      return otherwise;
    }
    try {
      var number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      throw Problem.bad("'" + name + "' must be a whole number");
    }
    throw Problem.bad("'" + name + "' must be at least " + least);
  }

  /**
   * The element that describes what is to be.
   *
   * @throws Problem when there is none
   */
  XmlNode description() {
    var root = body;
    var content = root == null || !root.name().equals("entry") ? null : root.child("content");
    if (content == null || content.children().isEmpty()) {
      throw Problem.bad("The body must be an entry with a content that describes the entity");
    }
    return content.children().getFirst();
  }
}
