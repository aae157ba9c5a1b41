package io.peeklock.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The administration API of a broker, spoken to as any client of the vendor would. */
final class Administration implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(60);
  private static final int PAGE = 100;
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NOT_FOUND = 404;

  static {
    // Else the client of the JDK lets nobody say whom it calls; read once, when it is loaded.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
  }

  private final ConnectionString where;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  Administration(ConnectionString where) {
    this.where = where;
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

  /** Reads all of a list. */
  List<Description> list(String path) {
    var all = new ArrayList<Description>();
    while (true) {
      var page = descriptions(good(send(request(path, page(all.size())).GET())));
      all.addAll(page);
      if (page.size() < PAGE) {
        return all;
      }
    }
  }

  private static String page(int skip) {
    return "$skip=" + skip + "&$top=" + PAGE + "&";
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
      var request =
          HttpRequest.newBuilder(uri).timeout(LONG_PATIENCE).header("Authorization", token());
      return where.address().equals(where.host())
          ? request
          : request.header("Host", where.host() + ":" + where.port());
    } catch (URISyntaxException wrong) {
      throw CliFailure.usage("\"" + path + "\" cannot be the path of anything");
    }
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException failed) {
      throw CliFailure.unreachable(
          "no answer from a broker at " + where.host() + ":" + where.port() + ": " + failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw CliFailure.unreachable("interrupted");
    }
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
      throw CliFailure.unreachable("the answer of the broker cannot be read: " + unreadable);
    }
  }

  private String token() {
    var resource = encoded("https://" + where.host() + "/");
    var expiry = Instant.now().plus(Duration.ofHours(1)).getEpochSecond();
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(where.key().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      var signed = mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
      return "SharedAccessSignature sr="
          + resource
          + "&sig="
          + encoded(Base64.getEncoder().encodeToString(signed))
          + "&se="
          + expiry
          + "&skn="
          + encoded(where.keyName());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA256", impossible);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
  }
}
