package io.peeklock.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Requests over HTTP, one behind the other, spoilt by line, header, number and byte. */
final class HttpTalk {
  /** What may be asked of anything: it makes and removes no entity. */
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "OPTIONS", "POST", "TRACE", "X");

  private static final List<String> TARGETS =
      List.of(
          "POST /victim/messages",
          "POST /victim/messages?timeout=60",
          "POST /victim-sessions/messages",
          "POST /victim-topic/messages",
          "POST /victim/messages/head?timeout=0",
          "DELETE /victim/messages/head?timeout=0",
          "PUT /victim/messages/1/00000000-0000-0001-0000-000000000001",
          "DELETE /victim/messages/1/00000000-0000-0001-0000-000000000001",
          "POST /victim/messages/1/00000000-0000-0001-0000-000000000001",
          "GET /$Resources/queues?$skip=0&$top=100",
          "GET /victim?enrich=true",
          "GET /victim-topic/Subscriptions/all/rules",
          "GET /$namespaceinfo",
          "GET /health",
          "GET /metrics",
          "PUT /victim-made");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "1",
          "2147483647",
          "2147483648",
          "4294967296",
          "9223372036854775808",
          "1e9",
          "x",
          "");

  private static final List<String> MORE =
      List.of(
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: chunked, identity",
          "Expect: 100-continue",
          "Connection: close",
          "Connection: upgrade",
          "Upgrade: websocket",
          "Origin: https://shop.example",
          "Host: elsewhere",
          "Content-Encoding: gzip",
          "If-Match: *",
          "ServiceBusDlqSupplementaryAuthorization: x",
          "Content-Type: application/vnd.microsoft.servicebus.json",
          "Content-Type: application/atom+xml;type=entry;charset=utf-8",
          "BrokerProperties: {\"TimeToLiveTimeSpan\":\"x\",\"PartitionKey\":\"s\"}",
          "BrokerProperties: [[[[[[",
          "k: \"text\"",
          "n: 5",
          "Authorization: SharedAccessSignature sr=&sig=&se=&skn=");

  private static final String PROPERTIES =
      "{\"MessageId\":\"h\",\"SessionId\":\"s\",\"TimeToLive\":5,\"Label\":\"l\",\"DeliveryCount\":1,"
          + "\"ScheduledEnqueueTimeUtc\":\"Tue, 15 Nov 1994 08:12:31 GMT\",\"CorrelationId\":\"c\"}";

  private static final String QUEUE =
      "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
          + "<QueueDescription xmlns="
          + "\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
          + "<LockDuration>PT30S</LockDuration><MaxDeliveryCount>10</MaxDeliveryCount>"
          + "<DefaultMessageTimeToLive>PT5S</DefaultMessageTimeToLive></QueueDescription>"
          + "</content></entry>";

  private static final String BATCH =
      "[{\"Body\":\"one\",\"BrokerProperties\":{\"MessageId\":\"1\"},\"UserProperties\":{\"k\":1}},"
          + "{\"Body\":\"two\"}]";

  private final Random random;

  HttpTalk(Random random) {
    this.random = random;
  }

  byte[] bytes() {
    var out = new ByteArrayOutputStream();
    for (var requests = 1 + random.nextInt(3); requests > 0; requests--) {
      out.writeBytes(request());
    }
    return out.toByteArray();
  }

  private byte[] request() {
    var target = TARGETS.get(random.nextInt(TARGETS.size()));
    var makes = target.startsWith("PUT /victim-made");
    var body = makes ? QUEUE : random.nextInt(4) == 0 ? BATCH : "hello";
    var chunked = random.nextInt(3) == 0;
    var headers = new ArrayList<String>();
    headers.add("Host: localhost");
    headers.add("Authorization: " + Scripts.TOKEN);
    headers.add("BrokerProperties: " + PROPERTIES);
    headers.add("Content-Type: text/plain");
    headers.add(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length());
    if (random.nextInt(4) != 0) {
      spoil(headers);
    }
    if (random.nextInt(4) == 0) {
      body = spoiltNumber(body);
    }
    var line = makes ? target : spoiltLine(target);
    var head = String.join("\r\n", headers) + "\r\n\r\n";
    var rest = head + (chunked ? chunks(body) : body);
    var bytes = rest.getBytes(StandardCharsets.ISO_8859_1);
    var whole = new ByteArrayOutputStream();
    whole.writeBytes((line + " HTTP/1.1\r\n").getBytes(StandardCharsets.ISO_8859_1));
    whole.writeBytes(random.nextInt(6) == 0 ? new Spoiler(random).anyBytes(bytes) : bytes);
    return whole.toByteArray();
  }

  private String spoiltLine(String target) {
    var path = target.substring(target.indexOf(' ') + 1);
    return switch (random.nextInt(12)) {
      case 0 -> METHODS.get(random.nextInt(METHODS.size())) + " " + path;
      case 1 -> "GET " + "/x".repeat(random.nextInt(3_000));
      case 2 -> "GET " + spoiltNumber(path);
      case 3 -> target.startsWith("DELETE") ? target : spoiltNumber(target);
      case 4 -> "POST http://localhost" + path;
      case 5 -> "POST /victim/%zz/messages?timeout=%00";
      default -> target;
    };
  }

  private void spoil(List<String> headers) {
    var at = random.nextInt(headers.size());
    switch (random.nextInt(7)) {
      case 0 -> headers.remove(at);
      case 1 -> headers.add(headers.get(at));
      case 2 -> Collections.swap(headers, at, random.nextInt(headers.size()));
      case 3 -> headers.set(at, spoiltNumber(headers.get(at)));
      case 4 -> {
        for (var many = random.nextInt(200); many > 0; many--) {
          headers.add("p" + many + ": " + many);
        }
      }
      default -> headers.add(at, MORE.get(random.nextInt(MORE.size())));
    }
  }

  /** The same with another number in place of one of its own, or at its end. */
  private String spoiltNumber(String text) {
    var digit = random.nextInt(text.length());
    for (; digit < text.length() && !Character.isDigit(text.charAt(digit)); digit++) {
      // on to the next digit
    }
    var rest = digit < text.length() ? text.substring(digit + 1) : "";
    return text.substring(0, digit) + NUMBERS.get(random.nextInt(NUMBERS.size())) + rest;
  }

  private String chunks(String body) {
    var half = body.length() / 2;
    var chunks = chunk(body.substring(0, half)) + chunk(body.substring(half)) + "0\r\n\r\n";
    return switch (random.nextInt(5)) {
      case 0 -> spoiltNumber(chunks);
      case 1 -> chunks.replace("0\r\n\r\n", "0\r\ntrailer: x\r\nContent-Length: 5\r\n\r\n");
      case 2 -> chunks.replaceFirst("\r\n", ";a=b\r\n");
      default -> chunks;
    };
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }
}
