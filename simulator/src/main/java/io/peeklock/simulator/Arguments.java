package io.peeklock.simulator;

import java.util.List;

/**
 * What is to be played.
 *
 * @param depth where the clients meet the broker
 * @param seed the first
 * @param seeds how many, one after the other
 * @param steps of each
 * @param threads how many seeds are played at a time
 * @param isShrinking whether a find is made as short as it can be
 * @param isHelp whether only this is to be explained
 */
record Arguments(
    Depth depth,
    long seed,
    long seeds,
    int steps,
    int threads,
    boolean isShrinking,
    boolean isHelp) {
  static final String HELP =
      """
      Usage: ./peeklock simulate [options]

      Plays seeds: for each a broker, its disk, its clients and all that goes wrong, in simulated
      time. A seed always plays the same. What the broker does is compared with a naive model.

        --frames      the clients speak AMQP, over connections that are cut; what was accepted
                      must stay, and what was taken be gone, but the model does not judge
        --seed N      the first seed (1)
        --seeds N     how many (100; 1 where --seed is given)
        --forever     until Ctrl-C, which tells what was done so far
        --steps N     steps of each seed (2000)
        --threads N   seeds at a time (as many as there are processors)
        --no-shrink   tell a find as it is, without the shortest run that has it
        --help        print this

      A find is told with its seed, its trace and its last events. The exit code is 0 when nothing
      was found, 1 when something was, 2 for a wrong option.
      """;

  private static final int MAX_THREADS = 1_024;
  private static final int STEPS = 2_000;
  private static final long SEEDS = 100;

  /**
   * Reads them.
   *
   * @param processors how many there are
   * @throws IllegalArgumentException with a sentence for what is none
   */
  static Arguments parse(List<String> words, int processors) {
    var read = new Arguments(Depth.SHARD, 1, 0, STEPS, processors, true, false);
    for (var at = 0; at < words.size(); at++) {
      var word = words.get(at);
      read =
          switch (word) {
            case "--seed" -> read.seed(number(words, ++at, Long.MIN_VALUE, Long.MAX_VALUE));
            case "--seeds" -> read.seeds(number(words, ++at, 1, Long.MAX_VALUE));
            case "--steps" -> read.steps((int) number(words, ++at, 1, Integer.MAX_VALUE));
            case "--threads" -> read.threads((int) number(words, ++at, 1, MAX_THREADS));
            case "--frames" -> read.frames();
            case "--forever" -> read.seeds(Long.MAX_VALUE);
            case "--no-shrink" -> read.shrinking(false);
            case "-h", "--help" -> read.help();
            default -> throw new IllegalArgumentException("no such option: " + word + "; --help");
          };
    }
    return read.seeds != 0 ? read : read.seeds(words.contains("--seed") ? 1 : SEEDS);
  }

  private static long number(List<String> words, int at, long least, long most) {
    var option = words.get(at - 1);
    try {
      var number = at < words.size() ? Long.parseLong(words.get(at)) : Long.MIN_VALUE;
      if (at < words.size() && number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException none) {
      // as any other that is none
    }
    throw new IllegalArgumentException(
        option + " wants a number" + (least > 0 ? " from " + least + " to " + most : ""));
  }

  private Arguments seed(long first) {
    return new Arguments(depth, first, seeds, steps, threads, isShrinking, isHelp);
  }

  private Arguments seeds(long count) {
    return new Arguments(depth, seed, count, steps, threads, isShrinking, isHelp);
  }

  private Arguments steps(int count) {
    return new Arguments(depth, seed, seeds, count, threads, isShrinking, isHelp);
  }

  private Arguments threads(int count) {
    return new Arguments(depth, seed, seeds, steps, count, isShrinking, isHelp);
  }

  private Arguments shrinking(boolean is) {
    return new Arguments(depth, seed, seeds, steps, threads, is, isHelp);
  }

  private Arguments frames() {
    return new Arguments(Depth.FRAMES, seed, seeds, steps, threads, isShrinking, isHelp);
  }

  private Arguments help() {
    return new Arguments(depth, seed, seeds, steps, threads, isShrinking, true);
  }
}
