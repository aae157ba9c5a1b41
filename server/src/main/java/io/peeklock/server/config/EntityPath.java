package io.peeklock.server.config;

/** The names that a queue may have (S-058). */
final class EntityPath {
  private static final int LONGEST = 260;
  private static final String NEVER = "@?#*\\,=";

  private EntityPath() {}

  /** The name without surrounding blanks. */
  static String checked(String path) {
    var name = path.strip();
    var wrong = wrongWith(name);
    if (!wrong.isEmpty()) {
      throw new ConfigurationException("the queue name \"" + name + "\" " + wrong);
    }
    return name;
  }

  private static String wrongWith(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (name.length() > LONGEST) {
      return "has " + name.length() + " characters; at most " + LONGEST + " are taken";
    }
    if (name.startsWith("/") || name.endsWith("/") || name.contains("//")) {
      return "begins or ends with a slash, or has two in a row";
    }
    if (name.startsWith("$") || name.contains("/$")) {
      return "has a part that begins with $, which is reserved";
    }
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      if (NEVER.indexOf(c) >= 0 || Character.isISOControl(c) || Character.isWhitespace(c)) {
        return "holds a character that is not allowed: blanks and any of " + NEVER + " are not";
      }
    }
    return "";
  }
}
