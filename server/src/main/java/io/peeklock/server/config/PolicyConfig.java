package io.peeklock.server.config;

import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.access.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A policy of a namespace that the file asks for beside the one that each begins with (S-470). Keys
 * never stand in an error.
 *
 * @param values what the file says of it, by their keys
 * @param where what errors begin with
 */
record PolicyConfig(String name, List<Said> values, String where) {
  static final String RIGHTS = "rights";
  static final String PRIMARY = "primary-key";
  static final String SECONDARY = "secondary-key";
  static final List<String> KEYS = List.of(RIGHTS, PRIMARY, SECONDARY);

  /** With the one that a namespace begins with (S-441). */
  private static final int MOST = 12;

  private static final int LONGEST = 256;

  /** Of a key that other machines may guess. */
  private static final int LEAST_BYTES = 32;

  /** One value. */
  record Said(String key, String value) {
    @Override
    public String toString() {
      return key; // the value may be a secret
    }
  }

  /**
   * The policies of one namespace.
   *
   * @param anyKey whether short keys will do: only this machine, or an emulator's users, can come
   */
  static List<Policy> judged(List<PolicyConfig> given, boolean anyKey) {
    var names = new HashSet<String>();
    var policies = new ArrayList<Policy>();
    for (var each : given) {
      if (!names.add(each.name.toLowerCase(Locale.ROOT))) {
        throw each.wrong("it is named twice");
      }
      policies.add(each.judged(anyKey));
    }
    if (policies.size() >= MOST) {
      throw given.getLast().wrong("a namespace has at most " + (MOST - 1) + " beside its first");
    }
    return List.copyOf(policies);
  }

  private Policy judged(boolean anyKey) {
    if (name.equalsIgnoreCase(Policy.ROOT_NAME)) {
      throw wrong("its key is in the data folder, not in the configuration");
    }
    if (!fits(name)) {
      throw wrong("the name should have 1 to " + LONGEST + " characters, none of them a control");
    }
    var primary = key(PRIMARY, anyKey);
    var secondary = said(SECONDARY).isEmpty() ? primary : key(SECONDARY, anyKey);
    try {
      return new Policy(name, "", primary, secondary, rights());
    } catch (IllegalArgumentException together) {
      throw wrong(String.valueOf(together.getMessage()));
    }
  }

  private static boolean fits(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.chars().noneMatch(Character::isISOControl);
  }

  private String said(String key) {
    return values.stream()
        .filter(each -> each.key.equals(key))
        .map(Said::value)
        .findAny()
        .orElse("");
  }

  private Secret key(String which, boolean anyKey) {
    var text = said(which);
    if (!fits(text)) {
      throw wrong(which + " should have 1 to " + LONGEST + " characters, none of them a control");
    }
    if (!anyKey && text.getBytes(StandardCharsets.UTF_8).length < LEAST_BYTES) {
      throw wrong(
          which + " is shorter than " + LEAST_BYTES + " bytes, which other machines may guess");
    }
    return Secret.of(text);
  }

  private Set<Right> rights() {
    var rights = EnumSet.noneOf(Right.class);
    for (var word : said(RIGHTS).split(",", -1)) {
      rights.add(right(word.strip()));
    }
    return rights;
  }

  private Right right(String word) {
    return Arrays.stream(Right.values())
        .filter(right -> right.claim().equalsIgnoreCase(word))
        .findAny()
        .orElseThrow(() -> wrong("rights should be some of Send, Listen and Manage"));
  }

  private ConfigurationException wrong(String reason) {
    return new ConfigurationException(where + ": " + reason);
  }
}
