package io.peeklock.conformance.kill;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import java.io.IOException;

/**
 * Kills a broker (SIGKILL) at random moments under load.
 *
 * <p>From the root of the project, after a build:
 *
 * <pre>
 * mvn -B -Pproof -pl conformance -am verify -Dtest=KillRigTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dkills=500 [-Dkills.seed=42]</pre>
 */
public final class KillRig {

  private KillRig() {}

  /**
   * Runs the rig by hand.
   *
   * @param arguments number of kills, then a seed; both may be left out
   */
  public static void main(String[] arguments) throws IOException {
    var kills = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    var seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    var verdict = run(kills, seed);
    if (!verdict.good()) {
      System.exit(1);
    }
  }

  /** Kills the broker that often, prints the figures, and says what came of it. */
  static Verdict run(int kills, long seed) throws IOException {
    System.out.println("kill rig: " + kills + " kills, seed " + seed);
    var broker = BrokerProcess.start(Folders.fresh("kills"), Rounds.options());
    var good = false;
    try {
      var verdict = Rounds.run(broker, BrokerProcess::kill, kills, seed);
      good = verdict.good();
      return verdict;
    } finally {
      if (good) {
        broker.close();
      } else {
        broker.kill();
        System.out.println("the data folder is kept: " + broker.data());
        System.out.println(broker.output().tail(30));
      }
    }
  }
}
