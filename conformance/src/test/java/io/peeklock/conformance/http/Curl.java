package io.peeklock.conformance.http;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The real curl, talking to a broker with a token for all of it. */
final class Curl {
  private static final long PATIENCE_SECONDS = 120;

  private final String base;
  private final Path folder;
  private final String token;

  /** What came back; names of headers in any case. */
  record Reply(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
      var value = headers.get(name);
      if (value == null) {
        throw new AssertionError("no " + name + " in " + headers);
      }
      return value;
    }
  }

  Curl(String base, Path folder) {
    needs("curl", "--version");
    this.base = base;
    this.folder = folder;
    this.token = SharedAccess.token(base, BrokerProcess.KEY_NAME, BrokerProcess.KEY);
  }

  /** Ends the test as not run where a program is missing. */
  static void needs(String... command) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      process.waitFor();
    } catch (IOException missing) {
      throw NotRun.because("no " + command[0] + " on this machine");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /**
   * One request.
   *
   * @param address a path, or a whole address
   * @param more of curl's options
   */
  Reply ask(String method, String address, String... more) {
    var head = folder.resolve("head");
    var body = folder.resolve("body");
    var command = new ArrayList<>(List.of("curl", "-sS", "-X", method));
    command.addAll(List.of("-H", "Authorization: " + token, "-D", head.toString()));
    command.addAll(List.of("-o", body.toString(), "--max-time", "60"));
    command.addAll(List.of(more));
    command.add(address.startsWith("/") ? base + address : address);
    try {
      Files.deleteIfExists(body);
      Files.write(body, new byte[0]);
      var said = run(command, folder);
      if (said.exitCode() != 0) {
        throw new AssertionError(command + " ended with " + said);
      }
      return read(Files.readString(head), Files.readAllBytes(body));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Reply read(String head, byte[] body) {
    var lines = head.strip().split("\r?\n", -1);
    var last = 0; // behind a 100
    for (var i = 0; i < lines.length; i++) {
      last = lines[i].startsWith("HTTP/") ? i : last;
    }
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (var i = last + 1; i < lines.length; i++) {
      var colon = lines[i].indexOf(": ");
      if (colon > 0) {
        headers.put(lines[i].substring(0, colon), lines[i].substring(colon + 2));
      }
    }
    return new Reply(Integer.parseInt(lines[last].split(" ", -1)[1]), headers, body);
  }

  /** What a command said on both streams. */
  record Ended(int exitCode, String said) {}

  static Ended run(List<String> command, Path folder) throws IOException {
    var out = folder.resolve("out");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command + " did not end. It said:\n" + Files.readString(out));
      }
      return new Ended(process.exitValue(), Files.readString(out));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
