package io.peeklock.cli;

/** A command cannot go on: one sentence, and the exit code that says of which kind it is. */
final class CliFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** There was nothing to receive or to show. */
  static final int NOTHING = 1;

  /** An option or argument is wrong. */
  static final int USAGE = 2;

  /** The broker said no. */
  static final int REFUSED = 3;

  /** The broker cannot be reached, or went away. */
  static final int UNREACHABLE = 4;

  /** What was to be printed could not be written. */
  static final int OUTPUT = 5;

  private final int exitCode;

  private CliFailure(int exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  static CliFailure usage(String sentence) {
    return new CliFailure(USAGE, sentence);
  }

  static CliFailure nothing(String sentence) {
    return new CliFailure(NOTHING, sentence);
  }

  static CliFailure refused(String sentence) {
    return new CliFailure(REFUSED, sentence);
  }

  static CliFailure unreachable(String sentence) {
    return new CliFailure(UNREACHABLE, sentence);
  }

  static CliFailure output(String sentence) {
    return new CliFailure(OUTPUT, sentence);
  }

  /** The same, and that so many messages had been accepted before. */
  CliFailure after(long accepted) {
    return new CliFailure(
        exitCode,
        getMessage()
            + "; before that "
            + (accepted == 1 ? "1 message was" : accepted + " messages were")
            + " accepted");
  }

  /** The same, and that so many messages had been moved or deleted before. */
  CliFailure afterMoved(long moved) {
    return new CliFailure(
        exitCode,
        getMessage()
            + "; before that "
            + (moved == 1 ? "1 message was" : moved + " messages were")
            + " done, and the same command again does the rest");
  }

  /** The same, and how to go on with the lines behind those that were accepted. */
  CliFailure afterLines(long accepted, long next) {
    return new CliFailure(
        exitCode, after(accepted).getMessage() + "; --from-line " + next + " goes on behind them");
  }

  int exitCode() {
    return exitCode;
  }
}
