package io.peeklock.http.admin;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Instants;
import io.peeklock.http.admin.atom.XmlNamespaces;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The documents around descriptions: entries and feeds (admin-http.md 5 and 11). */
final class Documents {
  private static final String ENTRY = "application/atom+xml;type=entry;charset=utf-8";
  private static final String FEED = "application/atom+xml;type=feed;charset=utf-8";
  private static final int SURE_ENTRIES = 100;
  private static final int MOST_BYTES = 1 << 20;

  /** With its head it is no more than an answer may have that counts nowhere. */
  private static final int SHORT_BYTES = 14 << 10;

  private static final byte[] NOTHING = {};
  private static final String PLAIN_IN_URI = "-._~!$&'()*+,;=:@/";

  private Documents() {}

  /**
   * One thing.
   *
   * @param path in the form that clients read names from
   * @param createdAtMillis null where that is not told
   * @param author whether it is told whose it is
   * @param content writes the description
   */
  record Entry(
      String path,
      String title,
      @Nullable Long createdAtMillis,
      long updatedAtMillis,
      boolean author,
      Consumer<AtomWriter> content) {}

  static HttpAnswer entry(AdminRequest asked, int status, Entry entry) {
    var out = new AtomWriter();
    write(asked, entry, out);
    return answer(status, ENTRY, out.bytes())
        .with("ETag", '"' + Instants.ticks(entry.updatedAtMillis()) + '"');
  }

  private static void write(AdminRequest asked, Entry entry, AtomWriter out) {
    var id = url(asked, entry.path(), "");
    out.open("entry")
        .attribute("xmlns", XmlNamespaces.ATOM)
        .element("id", id)
        .open("title")
        .attribute("type", "text")
        .text(entry.title())
        .close();
    if (entry.createdAtMillis() != null) {
      out.element("published", Instants.text(entry.createdAtMillis()));
    }
    out.element("updated", Instants.text(entry.updatedAtMillis()));
    if (entry.author()) {
      out.open("author").element("name", asked.namespace()).close();
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
   * A part of a list.
   *
   * @param things as many as were asked for
   * @param more whether there are others behind them
   * @param weight about how many bytes a thing has when it is shown
   * @param make what is shown of some of them
   */
  record Page<T>(
      List<T> things,
      boolean more,
      ToIntFunction<T> weight,
      Function<List<T>, CompletableFuture<List<Entry>>> make) {

    /** How many it has when it may end early. */
    private int fitting() {
      var count = 0;
      var bytes = 0L;
      while (count < things.size() && (count < SURE_ENTRIES || bytes < MOST_BYTES)) {
        bytes += weight.applyAsInt(things.get(count++));
      }
      return count;
    }
  }

  /**
   * A page of a list. It ends early when it is long, but not before the hundredth entry: clients
   * ask for as many, and some take a page with fewer for the last. So it has no end in bytes, and
   * is made as it is taken, unless it is short.
   *
   * @param path of the list
   */
  static <T> CompletableFuture<HttpAnswer> feed(
      AdminRequest asked, String title, String path, long nowMillis, Page<T> page) {
    var count = page.fitting();
    var isCut = count < page.things().size();
    var next = asked.skip() + (isCut ? count : asked.top());
    var form =
        new FeedRest.Form<T>() {
          @Override
          public void begin(AtomWriter out) {
            out.open("feed")
                .attribute("xmlns", XmlNamespaces.ATOM)
                .open("title")
                .attribute("type", "text")
                .text(title)
                .close()
                .element("id", url(asked, path, ""))
                .element("updated", Instants.text(nowMillis));
            link(out, "self", url(asked, path, page(asked.skip(), asked.top())));
            if (page.more() || isCut) { // a client that sees two links asks again
              link(out, "next", url(asked, path, page(next, asked.top())));
            }
          }

          @Override
          public CompletableFuture<List<Entry>> make(List<T> some) {
            return page.make().apply(some);
          }

          @Override
          public void write(Entry entry, AtomWriter out) {
            Documents.write(asked, entry, out);
          }
        };
    var things = List.copyOf(page.things().subList(0, count)); // not the list that it is of
    var weights = things.stream().mapToInt(page.weight()).summaryStatistics();
    var largest = Math.max(0, weights.getMax());
    var rest = new FeedRest<>(things, form, largest, asked.call()::execute);
    return weights.getSum() <= SHORT_BYTES
        ? rest.whole().thenApply(bytes -> answer(200, FEED, bytes))
        : CompletableFuture.completedFuture(answer(200, FEED, NOTHING).withRest(rest));
  }

  /** What the vendor answers where there is no such queue or topic (S-062). */
  static HttpAnswer nothing(AdminRequest asked, long nowMillis) {
    var out = new AtomWriter();
    out.open("feed")
        .attribute("xmlns", XmlNamespaces.ATOM)
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

  private static String url(AdminRequest asked, String path, String query) {
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
