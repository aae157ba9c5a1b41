package io.peeklock.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Patience;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code -Dfuzz.streams=5000000} for the long form, {@code -Dfuzz.rate=…} for a judgement of the
 * witness's p99 with so many a second, {@code -Dfuzz.seed=…} for the same again, {@code
 * -Dfuzz.replay=…} for one stream alone, or for those of a folder.
 */
@Isolated
@LongProof
class FuzzRigTest {
  private static final int QUIET_TRIPS = 300;
  private static final long COMPARED = 80_000;
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
    var rate = Integer.getInteger("fuzz.rate");
    if (rate != null) {
      compare(IN_MEMORY, rate);
      compare(List.of(), rate);
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

  private static long seed() {
    return Long.getLong("fuzz.seed", System.nanoTime() & 0xffff_ffffL);
  }

  private static void attack(List<String> options, long streams, long nanos) throws Exception {
    var seed = seed();
    try (var rig = new FuzzRig(options)) {
      System.out.printf(
          Locale.ROOT, "fuzz: seed %d, p99 %d us in quiet%n", seed, rig.quiet(QUIET_TRIPS));
      var attack = new Attack(rig.port(), seed, 0, 0);
      attack.begin(streams);
      rig.watch(attack, seed, nanos, () -> {});
      rig.judge("seed " + seed + ", " + attack.next() + " streams");
    }
  }

  /**
   * The attack takes the machine's time too, so its share of that is taken out: a second broker is
   * beside, with a witness, and nobody attacks it. Both are warm: what is measured is the second
   * half of the attack.
   */
  private static void compare(List<String> options, int rate) throws Exception {
    var seed = seed();
    long streams = Long.getLong("fuzz.streams", COMPARED);
    try (var attacked = FuzzRig.toMeasure(options);
        var other = FuzzRig.toMeasure(options)) {
      attack(attacked, other, new Attack(attacked.port(), seed, 0, rate), seed, streams / 2);
      attacked.forget();
      other.forget();
      attack(attacked, other, new Attack(attacked.port(), seed, streams / 2, rate), seed, streams);
      System.out.printf(
          Locale.ROOT,
          "fuzz: seed %d, %s: p99 %d us, where nobody attacks %d us%n",
          seed,
          options,
          attacked.p99(),
          other.p99());
      assertThat(attacked.p99()).as("p99 in us").isLessThanOrEqualTo(2 * other.p99());
      attacked.judge("seed " + seed);
      other.judge("nobody attacks");
    }
  }

  private static void attack(FuzzRig attacked, FuzzRig other, Attack attack, long seed, long last)
      throws Exception {
    attack.begin(last);
    attacked.watch(attack, seed, Long.MAX_VALUE, other::measure);
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
