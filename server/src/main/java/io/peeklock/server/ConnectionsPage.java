package io.peeklock.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.peeklock.amqp.connection.ConnectionDescription;
import io.peeklock.http.Authorisation;
import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.http.Route;
import io.peeklock.runtime.access.Right;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /$peeklock/connections?after=N&top=M}: who is connected over AMQP to a namespace, with
 * the links of each, in pages. Needs Manage on the namespace.
 */
final class ConnectionsPage {
  private static final String PATH = "/$peeklock/connections";
  private static final String JSON = "application/json";
  private static final int USUAL = 100;
  private static final int MOST = 200;
  private static final long PATIENCE_MILLIS = 5_000;
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Connections connections;
  private final Authorisation authorisation;

  /** Those of a namespace. */
  interface Connections {
    /** As {@code AmqpEdge.describe}. */
    CompletableFuture<ConnectionDescription.Page> after(long order, int most);
  }

  private ConnectionsPage(Connections connections, Authorisation authorisation) {
    this.connections = connections;
    this.authorisation = authorisation;
  }

  /** To be mounted before anything that takes any path. */
  static Route route(Connections connections, Authorisation authorisation) {
    return Route.reading(
        head -> head.path().equalsIgnoreCase(PATH),
        new ConnectionsPage(connections, authorisation)::answer);
  }

  private void answer(HttpCall call) {
    var refusal = authorisation.refusal(call, "", Right.MANAGE);
    if (refusal != null) {
      call.answer(refusal);
      return;
    }
    var after = number(call, "after", 0, Long.MAX_VALUE);
    var top = number(call, "top", USUAL, MOST);
    if (after < 0 || top < 1) {
      call.answer(
          HttpAnswer.error(400, "'after' is a number from 0 on, 'top' one from 1 to " + MOST));
      return;
    }
    var unused =
        connections
            .after(after, (int) top)
            .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
            .whenComplete((page, failed) -> call.attempt(() -> call.answer(told(page, failed))));
  }

  /** A parameter; -1 when it is none between 0 and this. */
  private static long number(HttpCall call, String name, long usual, long most) {
    var given = call.head().query(name);
    if (given == null) {
      return usual;
    }
    try {
      var number = Long.parseLong(given);
      return number > most ? -1 : number;
    } catch (NumberFormatException wrong) {
      return -1;
    }
  }

  private static HttpAnswer told(
      ConnectionDescription.@Nullable Page page, @Nullable Throwable failed) {
    if (page == null) {
      return HttpAnswer.error(
          503,
          failed instanceof TimeoutException
              ? "Some connections could not be looked at in time"
              : "Connections could not be looked at");
    }
    return HttpAnswer.text(200, JSON, json(page)).with("Cache-Control", "no-store");
  }

  private static String json(ConnectionDescription.Page page) {
    var text = new StringWriter();
    try (var json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("connections");
      for (var each : page.connections()) {
        write(json, each);
      }
      json.writeEndArray();
      if (page.next() > 0) {
        json.writeNumberField("next", page.next());
      }
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, ConnectionDescription each) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", each.order());
    json.writeStringField("peer", each.peer());
    json.writeStringField("container", each.container());
    json.writeStringField("product", each.product());
    json.writeArrayFieldStart("policies");
    for (var policy : each.policies()) {
      json.writeString(policy);
    }
    json.writeEndArray();
    json.writeStringField("since", Instant.ofEpochMilli(each.sinceMillis()).toString());
    json.writeNumberField("linkCount", each.linkCount());
    json.writeArrayFieldStart("links");
    for (var link : each.links()) {
      json.writeStartObject();
      json.writeStringField("name", link.name());
      json.writeStringField("kind", link.kind());
      json.writeStringField("entity", link.entity());
      json.writeNumberField("credit", link.credit());
      json.writeNumberField("unsettled", link.unsettled());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
