package io.peeklock.http.admin;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Instants;
import io.peeklock.http.admin.atom.Names;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** The documents around descriptions: entries and feeds (admin-http.md 5 and 11). */
final class Documents {
  private static final String ENTRY = "application/atom+xml;type=entry;charset=utf-8";
  private static final String FEED = "application/atom+xml;type=feed;charset=utf-8";
  private static final int SURE_ENTRIES = 100;
  private static final int MOST_BYTES = 1 << 20;
  private static final String PLAIN_IN_URI = "-._~!$&'()*+,;=:@/";

  private Documents() {}

  /**
   * One thing.
   *
   * @param path in the form that clients read names from
   * @param author whether it is told whose it is
   * @param content writes the description
   */
  record Entry(
      String path,
      String title,
      long createdAtMillis,
      long updatedAtMillis,
      boolean author,
      Consumer<AtomWriter> content) {}

  static HttpAnswer entry(Asked asked, int status, Entry entry) {
    var out = new AtomWriter();
    write(asked, entry, out);
    return answer(status, ENTRY, out.bytes())
        .with("ETag", '"' + Instants.ticks(entry.updatedAtMillis()) + '"');
  }

  private static void write(Asked asked, Entry entry, AtomWriter out) {
    var id = url(asked, entry.path(), "");
    out.open("entry")
        .attribute("xmlns", Names.ATOM)
        .element("id", id)
        .open("title")
        .attribute("type", "text")
        .text(entry.title())
        .close()
        .element("published", Instants.text(entry.createdAtMillis()))
        .element("updated", Instants.text(entry.updatedAtMillis()));
    if (entry.author()) {
      out.open("author").element("name", asked.host()).close();
    }
    link(out, "self", id);
    out.open("content").attribute("type", "application/xml");
    entry.content().accept(out);
    out.close().close();
  }

  private static void link(AtomWriter out, String rel, String href) {
    out.open("link").attribute("rel", rel).attribute("href", href).close();
  }

  /**
   * A page of a list. It ends early when it is long, but not before the hundredth entry: clients
   * ask for as many, and some take a page with fewer for the last. So it has no end in bytes, and
   * is written as it is taken.
   *
   * @param path of the list
   * @param entries as many as were asked for
   * @param more whether there is a further page
   */
  static HttpAnswer feed(
      Asked asked, String title, String path, long nowMillis, List<Entry> entries, boolean more) {
    var count = entries.size() <= SURE_ENTRIES ? entries.size() : fitting(asked, entries);
    var isCut = count < entries.size();
    var next = asked.skip() + (isCut ? count : asked.top());
    var out = new AtomWriter();
    out.open("feed")
        .attribute("xmlns", Names.ATOM)
        .open("title")
        .attribute("type", "text")
        .text(title)
        .close()
        .element("id", url(asked, path, ""))
        .element("updated", Instants.text(nowMillis));
    link(out, "self", url(asked, path, page(asked.skip(), asked.top())));
    if (more || isCut) { // a client that sees two links asks again
      link(out, "next", url(asked, path, page(next, asked.top())));
    }
    var within = entries.subList(0, count).iterator();
    var rest = new FeedRest(out, within, each -> write(asked, each, out), asked.call()::execute);
    var first = answer(200, FEED, rest.read());
    return rest.isOver() ? first : first.withRest(rest);
  }

  /** How many entries a page has that may end early. */
  private static int fitting(Asked asked, List<Entry> entries) {
    var count = 0;
    var bytes = 0L;
    while (count < entries.size() && (count < SURE_ENTRIES || bytes < MOST_BYTES)) {
      var measured = new AtomWriter();
      write(asked, entries.get(count++), measured);
      bytes += measured.bytes().length;
    }
    return count;
  }

  /** What the vendor answers where there is no such queue or topic (S-062). */
  static HttpAnswer nothing(Asked asked, long nowMillis) {
    var out = new AtomWriter();
    out.open("feed")
        .attribute("xmlns", Names.ATOM)
        .open("title")
        .attribute("type", "text")
        .text("Publicly Listed Services")
        .close()
        .open("subtitle")
        .attribute("type", "text")
        .text("This is the list of publicly-listed services currently available.")
        .close()
        .element("id", asked.base() + "/")
        .element("updated", Instants.text(nowMillis))
        .element("generator", "Service Bus 1.1");
    return answer(200, FEED, out.close().bytes());
  }

  private static String page(int skip, int top) {
    return "$skip=" + skip + "&$top=" + top + "&";
  }

  private static String url(Asked asked, String path, String query) {
    return asked.base() + "/" + inUri(path) + "?" + query + "api-version=" + inUri(asked.version());
  }

  private static HttpAnswer answer(int status, String type, byte[] body) {
    var header = new HttpAnswer.Header("Content-Type", type);
    return new HttpAnswer(status, List.of(header), body);
  }

  /** Percent-encodes what cannot stand in a URI; not more, for clients read names from it. */
  private static String inUri(String text) {
    StringBuilder encoded = null;
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    for (var i = 0; i < bytes.length; i++) {
      var c = (char) (bytes[i] & 0xff);
      var plain = c < 0x80 && (Character.isLetterOrDigit(c) || PLAIN_IN_URI.indexOf(c) >= 0);
      if (!plain && encoded == null) {
        encoded = new StringBuilder(text.substring(0, i));
      }
      if (encoded != null) {
        if (plain) {
          encoded.append(c);
        } else {
          encoded.append('%').append(hex(c >> 4)).append(hex(c & 0xf));
        }
      }
    }
    return encoded == null ? text : encoded.toString();
  }

  private static char hex(int digit) {
    return Character.toUpperCase(Character.forDigit(digit, 16));
  }
}
