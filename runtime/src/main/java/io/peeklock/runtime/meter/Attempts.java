package io.peeklock.runtime.meter;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;

/** Counts deliveries by the earlier attempts of their message: a few additions per burst. */
final class Attempts {
  private Attempts() {}

  static void note(EntityCounter meters, Effect.Delivered delivered) {
    var first = 0;
    var second = 0;
    var few = 0;
    var many = 0;
    var failed = delivered.messages().deliveryCounts();
    for (var before : failed) {
      if (before == 0) {
        first++;
      } else if (before == 1) {
        second++;
      } else if (before < 5) {
        few++;
      } else if (before < 10) {
        many++;
      }
    }
    var queue = delivered.queue();
    add(meters, queue, Count.FIRST_ATTEMPTS, first);
    add(meters, queue, Count.SECOND_ATTEMPTS, second);
    add(meters, queue, Count.THIRD_TO_FIFTH_ATTEMPTS, few);
    add(meters, queue, Count.SIXTH_TO_TENTH_ATTEMPTS, many);
    add(meters, queue, Count.LATER_ATTEMPTS, failed.length - first - second - few - many);
  }

  private static void add(EntityCounter meters, QueueId queue, Count what, int more) {
    if (more > 0) {
      meters.add(queue, what, more);
    }
  }
}
