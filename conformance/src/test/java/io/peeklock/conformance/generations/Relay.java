package io.peeklock.conformance.generations;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Leads connections from the port that a client insists on to that of the broker, on a loopback
 * address that nobody else uses.
 */
final class Relay implements AutoCloseable {
  private final ServerSocket server;
  private final int to;

  private Relay(ServerSocket server, int to) {
    this.server = server;
    this.to = to;
  }

  /**
   * Opens one.
   *
   * @param address where it listens, in numbers
   * @throws IOException when this machine has no such address, or the port is taken
   */
  static Relay open(String address, int port, int to) throws IOException {
    var server = new ServerSocket(port, 50, InetAddress.getByName(address));
    var relay = new Relay(server, to);
    daemon(relay::accept);
    return relay;
  }

  /** Where it listens, in numbers. */
  String address() {
    return server.getInetAddress().getHostAddress();
  }

  private void accept() {
    try {
      while (true) {
        var from = server.accept();
        var onward = new Socket();
        onward.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
        daemon(() -> pump(from, onward));
        daemon(() -> pump(onward, from));
      }
    } catch (IOException closed) {
      // The end of the relay, or of the broker: clients see that their connections end.
    }
  }

  private static void pump(Socket from, Socket onward) {
    try (from;
        onward) {
      from.getInputStream().transferTo(onward.getOutputStream());
    } catch (IOException ended) {
      // One of both hung up: the other one hears of it by the close.
    }
  }

  private static void daemon(Runnable work) {
    Thread.ofPlatform().daemon().name("relay").start(work);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
