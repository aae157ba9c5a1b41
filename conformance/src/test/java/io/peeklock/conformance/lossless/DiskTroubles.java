package io.peeklock.conformance.lossless;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.PlainHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What a log on disk goes through: the broker is killed, and its files are compacted. */
final class DiskTroubles {
  private static final Pattern COMPACTIONS =
      Pattern.compile("^peeklock_log_compactions_total\\S* (\\S+)", Pattern.MULTILINE);
  private static final int FILLERS = 200;
  private static final int FILLER_OCTETS = 30_000;

  private final BrokerProcess broker;

  DiskTroubles(BrokerProcess broker) {
    this.broker = broker;
  }

  List<Matrix.Trouble> all() {
    return List.of(this::kill, this::compact);
  }

  private void kill() {
    broker.kill();
    broker.restart();
  }

  /** Much comes and goes, so that the files with what stays are almost empty. */
  private void compact() throws IOException {
    var before = compactions();
    try (var filler = new RawMember(broker.port())) {
      var octets = Value.of("binary", "00".repeat(FILLER_OCTETS));
      Map<String, Value> parts = new TreeMap<>();
      parts.put("data", Value.of("list", List.of(octets)));
      var messages = Collections.nCopies(FILLERS, Description.of(parts));
      for (var turn = 0; turn < 10 && compactions() == before; turn++) {
        filler.send("filler", true, messages);
        filler.take("filler", FILLERS);
      }
    }
    Patience.until("compacted", () -> compactions() > before);
  }

  private double compactions() {
    try {
      var page =
          PlainHttp.raw(
              broker.port(),
              "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      return COMPACTIONS
          .matcher(page)
          .results()
          .mapToDouble(found -> Double.parseDouble(found.group(1)))
          .sum();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
