package io.peeklock.runtime.access;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A policy as an entity keeps it, with its keys as they were given, so that managers of the entity
 * can read them (S-470). All rules of an entity are one of its attributes.
 *
 * @param createdAtMillis when the rule was created by who made it, in UTC milliseconds; 0 for
 *     unsaid
 * @param modifiedAtMillis when it was last changed, in the same way
 */
public record AuthorizationRule(
    String keyName,
    Set<Right> rights,
    String primaryKey,
    String secondaryKey,
    long createdAtMillis,
    long modifiedAtMillis) {

  /** The attribute of a definition that holds the rules. */
  public static final String ATTRIBUTE = "AuthorizationRules";

  /** The most rules of an entity (S-441). */
  public static final int MOST = 12;

  /** The longest name, and the longest key. */
  public static final int LONGEST = 256;

  private static final int FIELDS = 6;

  /**
   * Creates a rule.
   *
   * @throws IllegalArgumentException for names or keys that cannot be stored, and for Manage
   *     without the other rights (S-471)
   */
  public AuthorizationRule {
    rights = Collections.unmodifiableSet(EnumSet.copyOf(rights));
    if (!fits(keyName) || !fits(primaryKey) || !fits(secondaryKey)) {
      throw new IllegalArgumentException(
          "a name or key of an authorization rule has from 1 to "
              + LONGEST
              + " characters and no control characters");
    }
    if (rights.contains(Right.MANAGE) && rights.size() < Right.values().length) {
      throw new IllegalArgumentException("Manage must come with Send and Listen");
    }
  }

  private static boolean fits(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.chars().noneMatch(Character::isISOControl);
  }

  /** Reads the rules from an entity's attributes. */
  public static List<AuthorizationRule> of(Map<String, String> attributes) {
    var kept = attributes.get(ATTRIBUTE);
    if (kept == null || kept.isEmpty()) {
      return List.of();
    }
    var rules = new ArrayList<AuthorizationRule>();
    for (var line : kept.split("\n", -1)) {
      var fields = line.split("\t", -1);
      if (fields.length == FIELDS) {
        rules.add(
            new AuthorizationRule(
                fields[0],
                rights(fields[1]),
                fields[2],
                fields[3],
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5])));
      }
    }
    return rules;
  }

  /** Writes rules as the value of {@link #ATTRIBUTE}, which {@link #of} reads. */
  public static String kept(List<AuthorizationRule> rules) {
    var lines = new ArrayList<String>();
    for (var rule : rules) {
      lines.add(
          String.join(
              "\t",
              rule.keyName,
              String.join(",", rule.rights.stream().map(Right::claim).toList()),
              rule.primaryKey,
              rule.secondaryKey,
              Long.toString(rule.createdAtMillis),
              Long.toString(rule.modifiedAtMillis)));
    }
    return String.join("\n", lines);
  }

  private static Set<Right> rights(String claims) {
    var rights = EnumSet.noneOf(Right.class);
    for (var claim : claims.split(",", -1)) {
      for (var right : Right.values()) {
        if (right.claim().equals(claim)) {
          rights.add(right);
        }
      }
    }
    return rights;
  }

  /** The policy on a path, for verifying. */
  Policy on(String scope) {
    return new Policy(keyName, scope, Secret.of(primaryKey), Secret.of(secondaryKey), rights);
  }

  @Override
  public String toString() {
    return "AuthorizationRule[" + keyName + ", keys hidden]";
  }
}
