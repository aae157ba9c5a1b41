package io.peeklock.server;

/** Which Peeklock this is. */
final class Version {
  private Version() {}

  /** From the jar's manifest; classes that are not in a jar have none. */
  static String current() {
    var version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "from sources" : version;
  }
}
