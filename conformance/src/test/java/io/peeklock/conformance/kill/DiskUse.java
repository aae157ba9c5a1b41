package io.peeklock.conformance.kill;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Killed;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Symbol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Much traffic of which little stays: of the messages one in a hundred is deferred, one in a
 * thousand is abandoned for ever, all others are completed. Looks at the data folder all the time,
 * kills the broker now and then, and at the end takes everything out and judges.
 */
final class DiskUse {
  private static final String QUEUE = "orders";
  private static final int BURST = 50;
  private static final int BODY_BYTES = 4_000;
  private static final long SEGMENT_BYTES = 4 << 20;
  private static final long REST_SECONDS = 20;

  private final BrokerProcess broker =
      BrokerProcess.start(
          Folders.fresh("disk-use"),
          List.of(
              "--checkpoint-megabytes",
              "1",
              "--segment-megabytes",
              "4",
              "--queue",
              QUEUE + ",MaxDeliveryCount=1000000,LockDuration=PT5M"));
  private final History history = new History();
  private final Map<String, Integer> living = new HashMap<>();
  private long liveBytes;
  private long sent;
  private long toComplete;
  private int life;
  private double worst;
  private double worstAtRest;
  private long peakUse;
  private long peakLive;

  /**
   * What was seen.
   *
   * @param worst segments beyond two times what lives, in traffic
   * @param worstAtRest the same after at most some seconds without
   */
  record Figures(
      long sent, long peakLive, long peakUse, double worst, double worstAtRest, Verdict verdict) {}

  static Figures run(long messages, int kills) throws IOException {
    var soak = new DiskUse();
    try {
      return soak.go(messages, kills);
    } finally {
      soak.broker.close();
    }
  }

  private Figures go(long messages, int kills) throws IOException {
    var lives = kills + 1;
    for (var i = 0; i < lives; i++) {
      try (var connection = RawConnection.ready(broker.port())) {
        live(connection, messages * (i + 1) / lives);
      }
      rest();
      // The last one only makes sure that no lock is left for the drain to wait for.
      broker.kill();
      history.add(new Killed(history.now()));
      life++;
      broker.restart();
    }
    try (var connection = RawConnection.ready(broker.port())) {
      new Drain(connection, history, QUEUE).everything();
    }
    var verdict = Judge.over(history.events());
    var figures = new Figures(sent, peakLive, peakUse, worst, worstAtRest, verdict);
    System.out.printf(
        Locale.ROOT,
        "disk use: %d messages, %d kills, at most %d bytes live, at most %d on the disk; at most"
            + " 2 x live + %.2f segments in traffic, %.2f at rest; %s%n",
        sent,
        kills,
        peakLive,
        peakUse,
        worst,
        worstAtRest,
        verdict.figures());
    return figures;
  }

  private void live(RawConnection connection, long until) throws IOException {
    RawLinks.attached(connection, RawLinks.sender(0, QUEUE));
    connection.await(RawConnection.FLOW);
    var receiver = new Deliveries(connection, 1, RawLinks.receiver(1, QUEUE));
    while (sent < until) {
      var open = send(connection);
      var tried = new HashMap<Long, SettleTried>();
      receiver.topUp();
      connection.flush();
      while (!open.isEmpty() || !tried.isEmpty() || toComplete > 0) {
        read(connection, receiver, open, tried);
        if (toComplete > 0) {
          receiver.topUp(); // else what is given back for ever would come for ever
        }
        connection.flush();
      }
      look();
    }
  }

  private static Disposition dispositionOf(String id) {
    var number = Long.parseLong(id, 1, id.length(), 10);
    return number % 1_000 == 500
        ? Disposition.ABANDON
        : number % 100 == 0 ? Disposition.DEFER : Disposition.COMPLETE;
  }

  private Map<Long, String> send(RawConnection connection) throws IOException {
    var open = new HashMap<Long, String>();
    for (var i = 0; i < BURST; i++) {
      var id = "m" + ++sent;
      history.add(new SendTried(history.now(), id, QUEUE));
      var message = RawMessage.bytes(id, Map.of(), Body.of(id, BODY_BYTES));
      living.put(id, message.length);
      liveBytes += message.length;
      toComplete += dispositionOf(id) == Disposition.COMPLETE ? 1 : 0;
      open.put(RawLinks.transfer(connection, 0, false, message), id);
    }
    return open;
  }

  private void read(
      RawConnection connection,
      Deliveries receiver,
      Map<Long, String> open,
      Map<Long, SettleTried> tried)
      throws IOException {
    var frame = connection.readFrame();
    var performative = frame.performative();
    if (performative == null || frame.code() == RawConnection.FLOW) {
      return;
    }
    switch ((int) frame.code()) {
      case (int) RawConnection.TRANSFER -> {
        var delivery = receiver.take(frame, performative);
        if (delivery != null) {
          settle(connection, delivery, tried);
        }
      }
      case (int) RawConnection.DISPOSITION -> answered(performative, open, tried);
      default -> throw new IOException("the broker gave up: " + performative);
    }
  }

  private void settle(
      RawConnection connection, Deliveries.Delivery delivery, Map<Long, SettleTried> tried)
      throws IOException {
    var message = delivery.message();
    var id = message.messageId();
    history.add(
        new Delivered(
            history.now(),
            id,
            QUEUE,
            Mode.PEEK_LOCK,
            life,
            message.sequenceNumber(),
            message.deliveryCount(),
            Body.whole(id, message.data()),
            Settlements.mark(message)));
    var disposition = dispositionOf(id);
    var now = history.now();
    var settlement =
        new SettleTried(now, id, disposition, life, disposition == Disposition.COMPLETE ? 0 : now);
    history.add(settlement);
    tried.put(delivery.id(), settlement);
    connection.send(0, RawLinks.settle(delivery.id(), false, outcome(settlement)));
  }

  private static Described outcome(SettleTried settlement) {
    var properties = Map.<Object, Object>of(new Symbol(Settlements.MARK), settlement.mark());
    return switch (settlement.disposition()) {
      case ABANDON -> Described.list(0x27, null, null, properties);
      case DEFER -> Described.list(0x27, null, true, properties);
      default -> Described.list(0x24);
    };
  }

  private void answered(
      Described disposition, Map<Long, String> open, Map<Long, SettleTried> tried) {
    var first = disposition.number(1, 0);
    var sends = disposition.truth(0);
    for (var delivery = first; delivery <= disposition.number(2, first); delivery++) {
      var id = sends ? open.remove(delivery) : null;
      if (id != null) {
        var accepted = disposition.field(4) instanceof Described state && state.code() == 0x24;
        history.add(new SendAnswered(history.now(), id, accepted));
      }
      var settlement = sends ? null : tried.remove(delivery);
      if (settlement != null) {
        history.add(
            new SettleAnswered(
                history.now(), settlement.id(), settlement.disposition(), settlement.mark(), true));
        var bytes =
            settlement.disposition() == Disposition.COMPLETE
                ? living.remove(settlement.id())
                : null;
        if (bytes != null) {
          liveBytes -= bytes;
          toComplete--;
        }
      }
    }
  }

  /** Segments beyond two times what lives. */
  private double beyond() {
    var use = sizeOf(".log", ".cold", ".new", ".checkpoint", ".body");
    var live = liveBytes + sizeOf(".checkpoint") / 2;
    peakUse = Math.max(peakUse, use);
    peakLive = Math.max(peakLive, live);
    return (double) (use - 2 * live) / SEGMENT_BYTES;
  }

  private void look() {
    worst = Math.max(worst, beyond());
  }

  /** Without traffic it comes to what was promised, and soon. */
  private void rest() {
    var began = System.nanoTime();
    while (beyond() > 2 && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(REST_SECONDS)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    worstAtRest = Math.max(worstAtRest, beyond());
  }

  private long sizeOf(String... ends) {
    try (var files = Files.walk(broker.data())) {
      return files
          .filter(file -> List.of(ends).stream().anyMatch(file.toString()::endsWith))
          .mapToLong(DiskUse::size)
          .sum();
    } catch (IOException | UncheckedIOException vanished) {
      return 0; // a file went while it was looked at; the next look counts
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException gone) {
      return 0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
