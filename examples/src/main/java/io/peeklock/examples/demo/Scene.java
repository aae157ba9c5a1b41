package io.peeklock.examples.demo;

/**
 * One sentence of the article and how to see it.
 *
 * @param rules the statements it is, for example {@code S-014}
 * @param article what the article says
 * @param play lets it happen
 */
record Scene(String rules, String article, Play play) {

  /** Lets it happen. */
  interface Play {
    /** Returns what happened; a fault of the stage itself is thrown. */
    Result play() throws Exception;
  }
}
