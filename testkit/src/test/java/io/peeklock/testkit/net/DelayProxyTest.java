package io.peeklock.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class DelayProxyTest {
  private static final Duration ONE_WAY = Duration.ofMillis(30);

  @Test
  void anEchoTakesARoundTripAtLeastAndBytesStayInOrder() throws Exception {
    try (var echo = echo();
        var proxy = DelayProxy.open(echo.getLocalPort(), ONE_WAY);
        var client = connect(proxy)) {
      var sent = new byte[1 << 20];
      new Random(7).nextBytes(sent);

      var began = System.nanoTime();
      Thread.ofVirtual().start(() -> write(client, sent));
      var back = client.getInputStream().readNBytes(sent.length);
      var took = Duration.ofNanos(System.nanoTime() - began);

      assertThat(back).isEqualTo(sent);
      assertThat(took).isGreaterThanOrEqualTo(ONE_WAY.multipliedBy(2));
    }
  }

  @Test
  void cuttingBreaksWhatIsOpenAndNewConnectionsAreTaken() throws Exception {
    try (var echo = echo();
        var proxy = DelayProxy.open(echo.getLocalPort(), Duration.ZERO);
        var first = connect(proxy)) {
      first.getOutputStream().write(1);
      assertThat(first.getInputStream().read()).isEqualTo(1);

      proxy.cut();

      assertThat(readsOn(first)).isFalse();
      try (var second = connect(proxy)) {
        second.getOutputStream().write(2);
        assertThat(second.getInputStream().read()).isEqualTo(2);
      }
    }
  }

  private static boolean readsOn(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketException reset) {
      return false;
    }
  }

  private static Socket connect(DelayProxy proxy) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private static ServerSocket echo() throws IOException {
    var server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> echo(server));
    return server;
  }

  private static void echo(ServerSocket server) {
    while (!server.isClosed()) {
      try (var socket = server.accept()) {
        socket.getInputStream().transferTo(socket.getOutputStream());
      } catch (IOException gone) {
        // The proxy hung up, or the test is over.
      }
    }
  }
}
