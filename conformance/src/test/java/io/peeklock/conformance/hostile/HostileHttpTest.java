package io.peeklock.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same over HTTP and WebSockets: each attack costs its own connection and a line. */
class HostileHttpTest {
  @RegisterExtension static final AttackedBroker BROKER = new AttackedBroker();

  private static final String UPGRADE =
      "GET /$servicebus/websocket HTTP/1.1~Host: localhost~Upgrade: websocket~"
          + "Connection: Upgrade~Sec-WebSocket-Version: 13~"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Sec-WebSocket-Protocol: AMQPWSB10~~";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | POST /health HTTP/1.1~Host: localhost~Content-Length: 4~Transfer-Encoding:"
            + " chunked~~0~~GET /",
        "400 | GET /health HTTP/1.1~Host: localhost~Content-Length: 0~Content-Length: 9~~",
        "400 | GET /%2e%2e/Canary7Qx HTTP/1.1~Host: localhost~~",
        "403 | GET /health HTTP/1.1~Host: Canary7Qx.example~Authorization: Canary7Qx~~",
        "403 | GET /health HTTP/1.1~Host: localhost~Origin: https://Canary7Qx.example~~",
        "403 | GET /$servicebus/websocket HTTP/1.1~Host: localhost~Origin:"
            + " https://Canary7Qx.example~~",
        "413 | GET /health HTTP/1.1~Host: localhost~Content-Length: 99999999999~~",
        "505 | GET /health HTTP/3.0~Host: localhost~~",
      })
  void aRequestThatCannotBeIsRefused(int status, String request) throws IOException {
    assertThat(answer(request.strip().replace("~", "\r\n"), new byte[0]))
        .startsWith("HTTP/1.1 " + status + " ")
        .doesNotContain(AttackedBroker.CANARY);
    BROKER.stands(1);
  }

  @Test
  void headersWithoutEndAreCutOff() throws IOException {
    var endless = "GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + "Canary7Qx".repeat(20_000);

    assertThat(answer(endless, new byte[0])).startsWith("HTTP/1.1 431 ");
    BROKER.stands(1);
  }

  /** A frame without a mask, text, a nested message, and AMQP that is none. */
  @ParameterizedTest
  @CsvSource({
    "8203010203, 880203ea",
    "818000000000, 880203eb",
    "028000000000028000000000, 880203ea",
    "82ff7fffffffffffffff0000000058585858585858585858, ''",
  })
  void aFrameThatCannotBeEndsTheConnection(String frames, String goodbye) throws IOException {
    var said = answer(UPGRADE.replace("~", "\r\n"), HexFormat.of().parseHex(frames));

    assertThat(said).startsWith("HTTP/1.1 101 ");
    var bytes = said.substring(said.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.ISO_8859_1);
    assertThat(HexFormat.of().formatHex(bytes)).contains(goodbye);
    BROKER.stands(1);
  }

  /** Everything that comes back for a request and what follows its answer, until the end. */
  private static String answer(String request, byte[] then) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), BROKER.port())) {
      socket.setSoTimeout(60_000);
      var said = new StringBuilder();
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        while (then.length > 0 && !said.toString().endsWith("\r\n\r\n")) {
          said.append((char) socket.getInputStream().read());
        }
        socket.getOutputStream().write(then);
        var rest = socket.getInputStream().readAllBytes();
        said.append(new String(rest, StandardCharsets.ISO_8859_1));
      } catch (SocketException hungUpWhileWeStillSent) {
        assertThat(said).as("an answer before the end").isNotEmpty();
      }
      return said.toString();
    }
  }
}
