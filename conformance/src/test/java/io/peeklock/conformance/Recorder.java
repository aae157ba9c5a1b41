package io.peeklock.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a broker and writes down what clients say to it, for the fuzz rig: run any test
 * with {@code -Dfuzz.record=FOLDER}. A file for each connection: a line with the broker's options,
 * and a line with what the client sent, in hexadecimal digits, with a blank wherever it had waited
 * for an answer. What is under TLS is passed on and not written down.
 */
final class Recorder {
  private static final String FOLDER = System.getProperty("fuzz.record", "");
  private static final int MOST_BYTES = 16 << 10;
  private static final int TLS = 0x16;
  private static final ConcurrentMap<Integer, Integer> PORTS = new ConcurrentHashMap<>();
  private static final AtomicInteger WRITTEN = new AtomicInteger();

  private final int brokerPort;
  private final List<String> options;

  private Recorder(int brokerPort, List<String> options) {
    this.brokerPort = brokerPort;
    this.options = options;
  }

  /** Where clients are to connect: the broker's own port when nobody records. */
  static int before(int brokerPort, List<String> options) {
    return FOLDER.isEmpty()
        ? brokerPort
        : PORTS.computeIfAbsent(brokerPort, port -> new Recorder(port, options).listen());
  }

  private int listen() {
    try {
      Files.createDirectories(Path.of(FOLDER));
      var listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().name("recorder").start(() -> accept(listening));
      return listening.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void accept(ServerSocket listening) {
    while (true) {
      try {
        var client = listening.accept();
        Thread.ofVirtual().start(() -> relay(client));
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  private void relay(Socket client) {
    var said = new Said();
    try (client;
        var broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort)) {
      var answers = Thread.ofVirtual().start(() -> answers(broker, client, said));
      pass(client.getInputStream(), broker, said);
      broker.shutdownOutput();
      answers.join();
    } catch (IOException hungUp) {
      // that is how many conversations end
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    said.write();
  }

  private static void pass(InputStream from, Socket to, Said said) throws IOException {
    var buffer = new byte[64 << 10];
    for (var read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      said.said(buffer, read);
      to.getOutputStream().write(buffer, 0, read);
    }
  }

  private static void answers(Socket broker, Socket client, Said said) {
    try {
      var buffer = new byte[64 << 10];
      var from = broker.getInputStream();
      for (var read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        said.answered();
        client.getOutputStream().write(buffer, 0, read);
      }
      client.shutdownOutput();
    } catch (IOException hungUp) {
      // the other direction ends with it
    }
  }

  /** What one client said. */
  private final class Said {
    private final List<ByteArrayOutputStream> pieces = new ArrayList<>();
    private boolean answered = true;
    private int bytes;

    synchronized void said(byte[] buffer, int read) {
      var kept = Math.min(read, MOST_BYTES - bytes);
      if (kept > 0) {
        if (answered) {
          pieces.add(new ByteArrayOutputStream());
          answered = false;
        }
        pieces.getLast().write(buffer, 0, kept);
        bytes += kept;
      }
    }

    synchronized void answered() {
      answered = true;
    }

    synchronized void write() {
      if (pieces.isEmpty() || pieces.getFirst().toByteArray()[0] == TLS) {
        return;
      }
      var line =
          String.join(
              " ",
              pieces.stream().map(piece -> HexFormat.of().formatHex(piece.toByteArray())).toList());
      try {
        Files.writeString(
            Path.of(FOLDER, WRITTEN.incrementAndGet() + ".hex"),
            String.join(" ", options) + "\n" + line + "\n");
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
