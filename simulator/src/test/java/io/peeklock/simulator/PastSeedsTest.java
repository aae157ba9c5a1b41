package io.peeklock.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeds that once raised an alarm, of the broker's or of the model's, end well. */
class PastSeedsTest {

  @ParameterizedTest(name = "{0}: {1} steps of seed {2}")
  @CsvSource({
    "a drain that ended within a delivery, FRAMES, 300, 287",
    "a time to live that a queue had before, SHARD, 300, 1791",
    "a time to live that a topic had, SHARD, 300, 430",
    "a time to live that does not count where all is forwarded, SHARD, 300, 2042",
    "a settlement without an answer behind a renewal, SHARD, 300, 390",
    "a settlement without an answer behind a peek, SHARD, 300, 577",
    "a send without an answer behind an update, SHARD, 300, 648",
    "a send without an answer behind an update of its topic, SHARD, 300, 102",
    "a send without an answer behind one of the same ids, SHARD, 300, 1845",
    "entities in doubt that are emptied, SHARD, 300, 267",
    "destinations in doubt, SHARD, 1000, 188",
    "a destination that was deleted in doubt, SHARD, 300, 2667",
    "copies of one message in whichever order, SHARD, 400, 407",
    "enlisted where something was refused before, SHARD, 300, 356",
    "renewed while it waits for a transaction, SHARD, 300, 764",
    "a state that has no room, SHARD, 300, 619",
    "sent via another entity that takes nothing, SHARD, 300, 340",
    "expired under a lock that a restart ends, SHARD, 300, 774",
    "deferred and taken where nobody was told, SHARD, 300, 821",
    "deferred and expired after its lock, SHARD, 300, 1301",
    "taken and not read, SHARD, 300, 1695",
    "forwarded before it is not judged, SHARD, 300, 704",
    "under a lock where all is forwarded, SHARD, 300, 1910",
    "no memory for what is forwarded, SHARD, 300, 1709",
    "names that are looked up while a namespace is emptied, SHARD, 300, 574",
    "a lock by a clock that was put back, SHARD, 300, 1381",
    "a dead letter without a reason of its own, SHARD, 300, 1668",
    "expired where it waited to be copied, SHARD, 1000, 429",
    "more ways into topics than can be counted, SHARD, 300, 120",
    "received by number what was deferred before all is forwarded, SHARD, 2000, 7",
    "received by number and not read, SHARD, 1100, 293",
    "more than fits in several sends of one transaction, SHARD, 1500, 161",
    "an update of what was made in doubt, SHARD, 1100, 167",
    "no memory for what is copied, SHARD, 1150, 102",
    "cancelled where nobody was told its number, SHARD, 1650, 600",
    "forwarded as a duplicate long before the next look, SHARD, 800, 845",
  })
  void seedEndsWell(String what, Depth depth, int steps, long seed) {
    var run = new Run(depth, seed, Run.steps(seed, steps), Auditors.of(depth)).play();

    assertThat(run.failure()).as(what).isNull();
  }
}
