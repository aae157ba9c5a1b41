package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.BrokerProcess;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Cuts connections and kills the broker until all orchestrations are complete. For one thread. */
final class Chaos {
  private static final int BETWEEN_CUTS_MILLIS = 120;
  private static final int LEAST_WORK_OF_A_LIFE = 5;

  private final Stage stage;
  private final BrokerProcess broker;
  private final OrchestrationRun.Scale scale;
  private final Random chance;
  private int kills;
  private int cuts;

  Chaos(Stage stage, BrokerProcess broker, OrchestrationRun.Scale scale, Random chance) {
    this.stage = stage;
    this.broker = broker;
    this.scale = scale;
    this.chance = chance;
  }

  /** Returns early when something went wrong. */
  void untilAllAreComplete() {
    var deadline = System.nanoTime() + scale.limit().toNanos();
    var life = new Life();
    while (stage.complete() < scale.instances() && !stage.over()) {
      if (System.nanoTime() > deadline) {
        stage.violated("not complete after " + scale.limit().toSeconds() + " s: " + stage);
        return;
      }
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(1 + chance.nextInt(2 * BETWEEN_CUTS_MILLIS)));
      cuts += stage.cut(chance) ? 1 : 0;
      if (kills < scale.kills() && life.isOver()) {
        broker.kill();
        broker.restart();
        kills++;
        life = new Life();
      }
    }
  }

  /** A broker lives for some time, but long enough to get something done. */
  private final class Life {
    private final int before = stage.committed.get();
    private final long until =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(
                scale.lifeMillis() / 2 + chance.nextInt(scale.lifeMillis() / 2));

    boolean isOver() {
      return System.nanoTime() > until && stage.committed.get() >= before + LEAST_WORK_OF_A_LIFE;
    }
  }

  int kills() {
    return kills;
  }

  int cuts() {
    return cuts;
  }

  @Override
  public String toString() {
    return "kills " + kills + ", cuts " + cuts;
  }
}
