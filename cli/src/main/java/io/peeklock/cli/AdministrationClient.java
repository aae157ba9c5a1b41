package io.peeklock.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The administration API of a broker, spoken to as any client of the vendor would. An answer has 60
 * s until its last byte, and as many bytes as memory can hold what is made of them, at most 16 MiB.
 */
final class AdministrationClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(60);
  private static final int PAGE = 100;
  private static final int MOST_ENTRIES = 1_000_000;
  private static final long MOST_BYTES = 16L << 20;

  /** The objects that a document becomes are so much larger than its text, at worst. */
  private static final int GROWTH = 64;

  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NOT_FOUND = 404;

  static {
    // Else the client of the JDK lets nobody say whom it calls; read once, when it is loaded.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
  }

  private final ConnectionString where;
  private final Duration patience;
  private final HttpClient http;

  private final long mostBytes = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / GROWTH);

  AdministrationClient(ConnectionString where, Trust trust) {
    this(where, trust, LONG_PATIENCE);
  }

  /**
   * For a broker that is asked in another hurry.
   *
   * @param patience the time until the last byte of an answer
   */
  AdministrationClient(ConnectionString where, Trust trust, Duration patience) {
    this.where = where;
    this.patience = patience;
    var builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    if (where.tls()) {
      builder.sslContext(trust.context(where.host()));
    }
    this.http = builder.connectTimeout(PATIENCE).build();
  }

  /** Makes something. */
  Description create(String path, Description wanted) {
    return one(put(path, wanted, false));
  }

  /** Puts something else in its place. */
  Description update(String path, Description wanted) {
    return one(put(path, wanted, true));
  }

  /** Reads something; null when there is none. */
  @Nullable Description read(String path) {
    var answer = send(request(path, "").GET());
    if (answer.statusCode() == NOT_FOUND) {
      return null;
    }
    var found = descriptions(good(answer));
    return found.isEmpty() ? null : found.getFirst();
  }

  /**
   * Reads all of a list, page by page.
   *
   * @throws CliFailure when it has no end
   */
  void list(String path, Consumer<Description> each) {
    var read = 0;
    while (read < MOST_ENTRIES) {
      var page = descriptions(good(send(request(path, page(read)).GET())));
      page.forEach(each);
      read += page.size();
      if (page.size() < PAGE) {
        return;
      }
    }
    throw CliFailure.unreachable("the list of the broker has no end");
  }

  private static String page(int skip) {
    return "$skip=" + skip + "&$top=" + PAGE + "&";
  }

  /**
   * Reads an answer in JSON.
   *
   * @param query with an {@code &} at the end, or empty
   */
  Map<String, @Nullable Object> json(String path, String query) {
    var body = good(send(request(path, query).GET())).body();
    try {
      return JsonReader.object(new String(body, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException unreadable) {
      throw CliFailure.unreachable(
          "the answer of the broker cannot be read: " + unreadable.getMessage());
    }
  }

  /** Takes something away. */
  void delete(String path) {
    good(send(request(path, "").DELETE()));
  }

  /** Takes everything away; perhaps messages only. */
  void empty(boolean keepEntities) {
    good(send(request("$peeklock/entities", keepEntities ? "keep=entities&" : "").DELETE()));
  }

  private HttpResponse<byte[]> put(String path, Description wanted, boolean exists) {
    var request =
        request(path, "")
            .header("Content-Type", "application/atom+xml")
            .PUT(HttpRequest.BodyPublishers.ofString(wanted.entry()));
    return good(send(exists ? request.header("If-Match", "*") : request));
  }

  private HttpRequest.Builder request(String path, String query) {
    try {
      var scheme = where.tls() ? "https" : "http";
      var uri =
          new URI(
              scheme,
              null,
              where.address(),
              where.port(),
              "/" + path,
              query + "api-version=2021-05",
              null);
      var request = HttpRequest.newBuilder(uri).header("Authorization", Signature.of(where));
      return where.address().equals(where.host())
          ? request
          : request.header("Host", where.host() + ":" + where.port());
    } catch (URISyntaxException wrong) {
      throw CliFailure.usage("\"" + path + "\" cannot be the path of anything");
    }
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) {
    var answer = http.sendAsync(request.build(), head -> new BoundedBody(mostBytes));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw noAnswer(Reason.of(failed, where));
    } catch (TimeoutException slow) {
      answer.cancel(true);
      throw noAnswer("it was not whole after " + patience.toSeconds() + " s");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw CliFailure.unreachable("interrupted");
    }
  }

  private CliFailure noAnswer(String reason) {
    return CliFailure.unreachable(
        "no answer from a broker at " + where.host() + ":" + where.port() + ": " + reason);
  }

  private static HttpResponse<byte[]> good(HttpResponse<byte[]> answer) {
    if (answer.statusCode() == OK || answer.statusCode() == CREATED) {
      return answer;
    }
    var sentence = Description.error(answer.body());
    throw CliFailure.refused(
        (sentence == null ? "the broker refused" : sentence) + " (" + answer.statusCode() + ")");
  }

  private Description one(HttpResponse<byte[]> answer) {
    var found = descriptions(answer);
    if (found.isEmpty()) {
      throw CliFailure.unreachable("the answer of the broker describes nothing");
    }
    return found.getFirst();
  }

  private static List<Description> descriptions(HttpResponse<byte[]> answer) {
    try {
      return Description.read(answer.body());
    } catch (IOException unreadable) {
      throw CliFailure.unreachable(
          "the answer of the broker cannot be read: " + unreadable.getMessage());
    }
  }

  @Override
  public void close() {
    http.shutdownNow(); // or an answer without an end would be waited for
  }
}
