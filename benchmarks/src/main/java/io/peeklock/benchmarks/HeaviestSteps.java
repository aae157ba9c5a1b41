package io.peeklock.benchmarks;

import java.util.Locale;

/**
 * The heaviest step of each kind that holds a shard, at the sizes that the broker must bear:
 * decided and applied, without log and network. None may take longer than five milliseconds.
 *
 * <pre>{@code
 * java -Xms6g -Xmx6g -XX:+UseSerialGC -XX:+AlwaysPreTouch \
 *   -cp benchmarks/target/benchmarks.jar io.peeklock.benchmarks.HeaviestSteps
 * }</pre>
 *
 * <p>A word behind it runs those parts alone whose name has it.
 */
public final class HeaviestSteps {
  private static final int WARM_UPS = 30;

  private HeaviestSteps() {}

  /** One part: it makes shards of its own. */
  private interface Part {
    void run(StepLedger ledger, StepSizes sizes);
  }

  private record Named(String name, Part part) {}

  private static final Named[] PARTS = {
    new Named("queue", QueueSteps::crowded),
    new Named("locks", QueueSteps::locks),
    new Named("expiry", QueueSteps::expiry),
    new Named("scheduled", QueueSteps::scheduled),
    new Named("duplicates", QueueSteps::duplicates),
    new Named("largest", BatchSteps::largest),
    new Named("sessions", SessionSteps::crowded),
    new Named("begun", SessionSteps::begun),
    new Named("acceptors", SessionSteps::acceptors),
    new Named("lost", SessionSteps::lost),
    new Named("receivers", SessionSteps::receivers),
    new Named("entities", EntitySteps::many),
    new Named("emptying", EntitySteps::emptying),
    new Named("forwards", EntitySteps::forwards),
    new Named("room", EntitySteps::room),
    new Named("catalogue", CatalogueSteps::changes),
    new Named("topic", TopicSteps::subscriptions),
    new Named("rules", TopicSteps::rules),
    new Named("correlations", TopicSteps::correlations),
    new Named("bombs", TopicSteps::bombs),
  };

  /** Prints a table. */
  public static void main(String[] arguments) {
    var ledger = new StepLedger();
    for (var named : PARTS) {
      if (arguments.length > 0 && !named.name().contains(arguments[0])) {
        continue;
      }
      var began = System.nanoTime();
      for (var i = 0; i < WARM_UPS; i++) {
        named.part().run(new StepLedger(), StepSizes.FULL.smaller(20));
      }
      named.part().run(ledger, StepSizes.FULL);
      System.gc();
      System.out.printf(
          Locale.ROOT, "%s: %,d ms%n", named.name(), (System.nanoTime() - began) / 1_000_000);
    }
    System.out.println(ledger.table());
  }
}
