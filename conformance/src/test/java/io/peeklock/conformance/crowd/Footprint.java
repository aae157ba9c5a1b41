package io.peeklock.conformance.crowd;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Jcmd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a broker holds, after a full collection.
 *
 * @param heapBytes of living objects
 * @param connections living objects of the AMQP edge, one for each connection
 * @param links the same, one for each attached link
 * @param descriptors open files and sockets
 * @param threads of the process
 * @param residentBytes as the kernel sees it
 */
record Footprint(
    long heapBytes,
    long connections,
    long links,
    long descriptors,
    long threads,
    long residentBytes) {
  private static final Pattern ROW = Pattern.compile(" *\\d+: +(\\d+) +\\d+ +(\\S+).*");
  private static final String ESTABLISHED = "01";
  private static final String CLOSE_WAIT = "08";
  private static final String CONNECTION = "io.peeklock.amqp.connection.AmqpConnection";
  private static final Pattern LINK =
      Pattern.compile("io\\.peeklock\\.amqp\\.engine\\.(SendingLink|ReceivingLink)");

  /** Measures it; stops the broker's world for a moment. */
  static Footprint of(BrokerProcess broker) throws IOException, InterruptedException {
    var histogram = Jcmd.histogram(broker);
    var connections = 0L;
    var links = 0L;
    for (var line : histogram.lines().toList()) {
      var row = ROW.matcher(line);
      if (row.matches() && row.group(2).equals(CONNECTION)) {
        connections = Long.parseLong(row.group(1));
      } else if (row.matches() && LINK.matcher(row.group(2)).matches()) {
        links += Long.parseLong(row.group(1));
      }
    }
    return new Footprint(
        Jcmd.liveBytes(histogram),
        connections,
        links,
        count(broker, "fd"),
        count(broker, "task"),
        broker.residentBytes());
  }

  /** Connections as the kernel sees them: established, or left by the client and kept by us. */
  static long sockets(BrokerProcess broker) throws IOException {
    var local = String.format(Locale.ROOT, ":%04X", broker.port());
    var sockets = 0L;
    for (var table : List.of("tcp", "tcp6")) {
      for (var line : Files.readAllLines(folder(broker, "net").resolve(table))) {
        var words = line.strip().split(" +", -1);
        var kept = words[3].equals(ESTABLISHED) || words[3].equals(CLOSE_WAIT);
        sockets += kept && words[1].endsWith(local) ? 1 : 0;
      }
    }
    return sockets;
  }

  private static long count(BrokerProcess broker, String what) throws IOException {
    try (var all = Files.list(folder(broker, what))) {
      return all.count();
    }
  }

  private static Path folder(BrokerProcess broker, String what) {
    return Path.of("/proc", Long.toString(broker.pid()), what);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "heap %d KB, %d connections, %d links, %d descriptors, %d threads, %d MB resident",
        heapBytes >> 10,
        connections,
        links,
        descriptors,
        threads,
        residentBytes >> 20);
  }
}
