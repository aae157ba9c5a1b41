package io.peeklock.conformance.power;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.kill.Rounds;
import io.peeklock.conformance.kill.Verdict;
import java.io.IOException;
import java.util.List;

/**
 * Cuts the power under a broker at random moments, under the load of the kill rig and before its
 * judge. A kill cannot show that a sync is missing: the operating system still has the bytes.
 *
 * <p>From the root of the project, after a build, as root:
 *
 * <pre>
 * mvn -B -Pproof -pl conformance -am verify -Dtest=PowerRigTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dpower.cycles=100 [-Dpower.seed=42]</pre>
 */
final class PowerRig {
  /** What makes syncs of the program under it do nothing and say that all is well. */
  private static final List<String> WITHOUT_SYNC =
      List.of(
          "strace",
          "-f",
          "--seccomp-bpf",
          "-qqq",
          "-o",
          "/dev/null",
          "-e",
          "trace=fsync,fdatasync",
          "-e",
          "inject=fsync,fdatasync:retval=0");

  private final LoopDisk disk;
  private final BrokerProcess broker;

  private PowerRig(LoopDisk disk, List<String> under) {
    this.disk = disk;
    var data = disk.root().resolve("data");
    // The folder is made by one that syncs, so that only what came later can be missing.
    BrokerProcess.start(data, Rounds.options()).stop();
    this.broker = BrokerProcess.startUnder(under, data, Rounds.options());
  }

  /** Cuts the power that often, prints the figures, and says what came of it. */
  static Verdict run(FileSystemKind kind, int cycles, long seed) throws IOException {
    return run(kind, cycles, seed, List.of());
  }

  /** The same with a broker whose syncs come to nothing. */
  static Verdict runWithoutSync(FileSystemKind kind, int cycles, long seed) throws IOException {
    return run(kind, cycles, seed, WITHOUT_SYNC);
  }

  private static Verdict run(FileSystemKind kind, int cycles, long seed, List<String> under)
      throws IOException {
    try (var disk = LoopDisk.mounted(kind)) {
      System.out.println(
          "power rig: "
              + cycles
              + " cuts on "
              + kind.word()
              + (under.isEmpty() ? "" : " WITHOUT SYNC")
              + ", seed "
              + seed
              + ", a sync takes "
              + disk.syncMicros()
              + " us");
      var before = disk.cuts();
      var rig = new PowerRig(disk, under);
      try {
        var verdict =
            under.isEmpty()
                ? Rounds.run(rig.broker, ignored -> rig.cut(), cycles, seed)
                : Rounds.runToBeCaught(rig.broker, ignored -> rig.cut(), cycles, seed);
        System.out.println("cuts that lost what was not synced: " + (disk.cuts() - before));
        if (!verdict.good() && under.isEmpty()) {
          System.out.println("the file system is kept: " + disk.keep());
        }
        return verdict;
      } finally {
        rig.broker.kill();
      }
    }
  }

  /**
   * All at once, as the power goes: the broker first, for ext4 may tell a sync that was under way
   * that all is well when the shutdown has just undone it. Nobody hears of that when the power
   * goes.
   */
  private void cut() throws IOException {
    broker.freeze();
    disk.cut();
    broker.kill();
    disk.powerOn();
  }
}
