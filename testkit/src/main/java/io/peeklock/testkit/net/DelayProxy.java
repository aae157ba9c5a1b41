package io.peeklock.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before a port of this machine and hands every byte on after a set time, in both
 * directions. Bandwidth is not limited: what was sent together arrives together, only later. May be
 * used from any thread.
 */
public final class DelayProxy implements AutoCloseable {
  private static final int BACKLOG = 128;

  private final ServerSocket server;
  private final int target;
  private final Duration oneWay;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private DelayProxy(ServerSocket server, int target, Duration oneWay) {
    this.server = server;
    this.target = target;
    this.oneWay = oneWay;
  }

  /**
   * Listens on a free port of loopback.
   *
   * @param target port of loopback to connect to, once for each connection taken
   * @param oneWay how long a byte is under way, half of a round trip; zero or more
   */
  public static DelayProxy open(int target, Duration oneWay) throws IOException {
    var server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    var proxy = new DelayProxy(server, target, oneWay);
    Thread.ofVirtual().name("delay-proxy").start(proxy::accept);
    return proxy;
  }

  /** Where it listens. */
  public int port() {
    return server.getLocalPort();
  }

  /** Breaks every connection that is open now; what is under way is lost. New ones are taken. */
  public void cut() {
    open.forEach(DelayProxy::hangUp);
  }

  /** Connections that are open now, on the clients' side. */
  public int connections() {
    return open.size() / 2;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        join(server.accept());
      } catch (IOException away) {
        // The broker is away, and the client was hung up on, as it would be without us; or we end.
      }
    }
  }

  private void join(Socket client) throws IOException {
    var broker = new Socket();
    try {
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
      broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
    } catch (IOException away) {
      hangUp(client);
      throw away;
    }
    open.add(client);
    open.add(broker);
    pump(client, broker);
    pump(broker, client);
  }

  private void pump(Socket from, Socket to) throws IOException {
    var pipe = new DelayLine(from.getInputStream(), to.getOutputStream(), oneWay);
    Thread.ofVirtual().name("delay-in").start(pipe::read);
    Thread.ofVirtual()
        .name("delay-out")
        .start(
            () -> {
              pipe.write();
              open.remove(from);
              open.remove(to);
              hangUp(from);
              hangUp(to);
            });
  }

  private static void hangUp(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It is closed either way.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
