package io.peeklock.checks;

/**
 * One thing that breaks a rule of the build, and where.
 *
 * @param path relative to the root of the repository
 * @param line from 1; 0 means the whole file
 * @param complaint what is wrong and what to do, without the place
 */
record Violation(String path, long line, String complaint) {

  @Override
  public String toString() {
    return line == 0 ? path + ": " + complaint : path + ":" + line + ": " + complaint;
  }
}
