package io.peeklock.conformance.crowd;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Where a peer falls silent, how long it may be, and the condition that it is told then. One that
 * is told in good time has 5 seconds for its answer.
 */
enum Silence {
  NOTHING_SAID(10, ""),
  HALF_A_HEADER(10, ""),
  HEADER_ONLY(10, ""),
  HALF_A_SASL_FRAME(10, ""),
  PAST_SASL(10, "amqp:connection:forced"),
  HALF_AN_OPEN(10, "amqp:connection:forced"),
  WITHOUT_A_TOKEN(20 + 5, "amqp:unauthorized-access"),
  WITHOUT_A_LINK(60 + 5, "amqp:connection:forced"),
  /** What the broker sees of a peer that is gone without a word, too. */
  ATTACHED(480, "amqp:resource-limit-exceeded"),
  HALF_A_FRAME(480, "amqp:resource-limit-exceeded");

  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final String QUEUE = "busy";

  private final Duration deadline;
  private final String told;

  Silence(long seconds, String told) {
    this.deadline = Duration.ofSeconds(seconds);
    this.told = told;
  }

  Duration deadline() {
    return deadline;
  }

  String told() {
    return told;
  }

  /** Goes so far. */
  RawConnection begin(int port) throws IOException {
    return switch (this) {
      case WITHOUT_A_TOKEN -> RawConnection.anonymous(port);
      case WITHOUT_A_LINK -> RawConnection.ready(port);
      case ATTACHED, HALF_A_FRAME -> attached(port);
      default -> handshake(port);
    };
  }

  private RawConnection handshake(int port) throws IOException {
    var connection = RawConnection.silent(port);
    switch (this) {
      case HALF_A_HEADER -> connection.write("AMQ".getBytes(StandardCharsets.US_ASCII));
      case HEADER_ONLY, HALF_A_SASL_FRAME -> {
        connection.write(SASL_HEADER);
        connection.flush();
        connection.readHeader();
        if (this == HALF_A_SASL_FRAME) {
          connection.write(ByteBuffer.allocate(6).putInt(200).put((byte) 2).put((byte) 1).array());
        }
      }
      case PAST_SASL -> connection.saslPlain(BrokerProcess.KEY_NAME, BrokerProcess.KEY);
      case HALF_AN_OPEN -> {
        connection.saslPlain(BrokerProcess.KEY_NAME, BrokerProcess.KEY);
        connection.write(half());
      }
      default -> {
        // Not a byte.
      }
    }
    connection.flush();
    return connection;
  }

  private RawConnection attached(int port) throws IOException {
    var connection = RawConnection.ready(port);
    RawLinks.attached(connection, RawLinks.receiver(0, QUEUE + "/$deadletterqueue"));
    connection.send(0, RawLinks.flow(0, 0, 10, false));
    if (this == HALF_A_FRAME) {
      connection.write(half());
    }
    connection.flush();
    return connection;
  }

  private static byte[] half() {
    return ByteBuffer.allocate(20_000).putInt(60_000).putInt(0x02000000).array();
  }
}
