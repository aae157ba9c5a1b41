package io.peeklock.store;

/**
 * Something in a file that is not as it was written.
 *
 * @param file its name in the folder
 * @param offset where; -1 for the file as a whole
 * @param harmless whether nothing that was promised is touched
 */
record Finding(String file, long offset, String what, boolean harmless) {

  @Override
  public String toString() {
    return (harmless ? "harmless  " : "DAMAGED   ")
        + file
        + (offset < 0 ? "" : " at offset " + offset)
        + ": "
        + what;
  }
}
