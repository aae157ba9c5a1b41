package io.peeklock.conformance.suites;

import io.peeklock.conformance.BrokerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Lets a suite stop, start and kill its broker: a line with the word, answered by {@code ok} when
 * it is done. One at a time.
 */
final class Control implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final BrokerProcess broker;
  private final ServerSocket server;

  Control(BrokerProcess broker) throws IOException {
    this.broker = broker;
    this.server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().name("control").daemon().start(this::serve);
  }

  /** Where it listens. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (var client = server.accept()) {
        client.setSoTimeout(TIMEOUT_MILLIS);
        answer(client);
      } catch (IOException | RuntimeException | AssertionError failed) {
        if (!server.isClosed()) {
          System.err.println("control: " + failed);
        }
      }
    }
  }

  private void answer(Socket client) throws IOException {
    var in =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
    for (var word = in.readLine(); word != null; word = in.readLine()) {
      obey(word.strip());
      client.getOutputStream().write("ok\n".getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void obey(String word) {
    switch (word) {
      case "kill" -> {
        broker.kill();
        broker.restart();
      }
      case "restart" -> {
        broker.stop();
        broker.restart();
      }
      case "stop" -> broker.stop();
      case "start" -> broker.restart();
      default -> throw new IllegalArgumentException("no such word: " + word);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
