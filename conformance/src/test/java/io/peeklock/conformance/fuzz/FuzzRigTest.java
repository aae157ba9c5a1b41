package io.peeklock.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Patience;
import io.peeklock.proof.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code -Dfuzz.streams=5000000} for the long form, {@code -Dfuzz.rate=…} for so many a second and
 * a judgement of the witness's p99, {@code -Dfuzz.seed=…} for the same again, {@code
 * -Dfuzz.replay=…} for one stream alone, or for those of a folder.
 */
@Isolated
class FuzzRigTest {
  private static final int QUIET_TRIPS = 300;
  private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(6);
  private static final List<String> IN_MEMORY = List.of("--in-memory");

  @Test
  @Rule({"I-01", "I-05"})
  @Timeout(value = 12, unit = TimeUnit.HOURS)
  void spoiltStreamsHurtNobodyElse() throws Exception {
    var replay = System.getProperty("fuzz.replay");
    if (replay != null) {
      replay(Path.of(replay));
      return;
    }
    var streams = Long.getLong("fuzz.streams");
    if (streams == null) {
      attack(IN_MEMORY, Long.MAX_VALUE, SHORT_NANOS);
    } else {
      attack(IN_MEMORY, streams, Long.MAX_VALUE);
      attack(List.of(), streams / 10, Long.MAX_VALUE);
    }
  }

  private static void attack(List<String> options, long streams, long nanos) throws Exception {
    var seed = Long.getLong("fuzz.seed", System.nanoTime() & 0xffff_ffffL);
    try (var rig = new FuzzRig(options)) {
      var quiet = rig.quiet(QUIET_TRIPS);
      System.out.printf(Locale.ROOT, "fuzz: seed %d, p99 %d us in quiet%n", seed, quiet);
      var rate = Integer.getInteger("fuzz.rate", 0);
      var attack = new Attack(rig.port(), seed, 0, rate);
      attack.begin(streams);
      rig.watch(attack, seed, nanos);
      System.out.printf(Locale.ROOT, "fuzz: p99 %d us under attack%n", rig.p99UnderAttack());
      if (rate > 0) { // one that leaves the machine time for both
        assertThat(rig.p99UnderAttack()).as("p99 in us").isLessThanOrEqualTo(2 * quiet);
      }
      rig.judge("seed " + seed + ", " + attack.next() + " streams");
    }
  }

  /** Each alone, with a look at the witness behind it: so the one that did it is found. */
  private static void replay(Path fileOrFolder) throws Exception {
    try (var rig = new FuzzRig(IN_MEMORY)) {
      for (var file : Finds.files(fileOrFolder)) {
        Attack.alone(rig.port(), List.of(Finds.read(file)));
        rig.quiet(5);
        rig.expectWell(file.toString());
      }
      rig.judge(fileOrFolder.toString());
    }
  }

  @Test
  void whatIsNotSpoiltIsUnderstood() throws Exception {
    try (var rig = new FuzzRig(IN_MEMORY)) {
      Attack.alone(rig.port(), FuzzStream.sound());

      Patience.until("sent", () -> rig.metric("peeklock_messages_incoming_total", "victim") > 0);
      System.out.println("fuzz: " + rig.metrics());
      rig.judge("sound streams");
    }
  }

  @Test
  void whatClientsRecordedIsUnderstood() throws Exception {
    try (var rig = new FuzzRig(IN_MEMORY)) {
      for (var client : Recordings.CLIENTS) {
        var before = rig.metric("peeklock_messages_incoming_total", "victim");

        Attack.alone(rig.port(), FuzzStream.soundly(client));

        Patience.until(
            client + " sent",
            () -> rig.metric("peeklock_messages_incoming_total", "victim") > before);
      }
      rig.judge("recorded streams");
    }
  }

  @Test
  void aStreamIsTheSameEachTime() {
    var stream = FuzzStream.of(7, 4_711);

    assertThat(FuzzStream.of(7, 4_711).hex()).isEqualTo(stream.hex());
    assertThat(FuzzStream.ofHex(stream.hex()).hex()).isEqualTo(stream.hex());
    for (var index = 0; index < 20_000; index++) {
      assertThat(FuzzStream.of(7, index).pieces()).isNotEmpty();
    }
  }
}
