package io.peeklock.checks;

/**
 * A text file of the repository.
 *
 * @param path relative to the root, with forward slashes
 * @param text the whole content
 */
record SourceFile(String path, String text) {

  boolean isJava() {
    return path.endsWith(".java");
  }

  boolean isMarkdown() {
    return path.endsWith(".md");
  }

  /** The path up to the last slash, empty at the root. */
  String folder() {
    return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
  }

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
