package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Instants;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.runtime.access.AuthorizationRule;
import io.peeklock.runtime.access.Right;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The authorization rules of a queue or topic (admin-http.md 9). Keys that a client leaves out are
 * made; keys never stand in an error.
 */
final class AccessRules {
  static final Property PROPERTY =
      new Property(AuthorizationRule.ATTRIBUTE, AccessRules::read, AccessRules::write);

  private static final int KEY_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private AccessRules() {}

  private static void read(DefinitionForm draft, XmlNode given) {
    var before = new HashMap<String, AuthorizationRule>();
    var was = draft.before();
    var known = was == null ? Map.<String, String>of() : was.attributes();
    AuthorizationRule.of(known).forEach(rule -> before.put(key(rule.keyName()), rule));
    var rules = new ArrayList<AuthorizationRule>();
    var names = new HashMap<String, AuthorizationRule>();
    for (var node : given.children()) {
      if (!node.name().equals("AuthorizationRule")) {
        continue;
      }
      var rule = rule(node, before);
      if (names.put(key(rule.keyName()), rule) != null) {
        throw Problem.bad("Two authorization rules have the same KeyName");
      }
      rules.add(rule);
    }
    if (rules.size() > AuthorizationRule.MOST) {
      throw new Problem(
          403, 40_300, "An entity has at most " + AuthorizationRule.MOST + " authorization rules");
    }
    if (!rules.isEmpty()) {
      draft.attribute(AuthorizationRule.ATTRIBUTE, AuthorizationRule.kept(rules));
    }
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static AuthorizationRule rule(XmlNode node, Map<String, AuthorizationRule> before) {
    var name = text(node, "KeyName");
    if (name == null) {
      throw Problem.bad("An authorization rule has no KeyName");
    }
    var was = before.get(key(name));
    var rights = rights(node.child("Rights"));
    var primary = text(node, "PrimaryKey");
    var secondary = text(node, "SecondaryKey");
    try {
      return new AuthorizationRule(
          name,
          rights,
          primary != null ? primary : was == null ? made() : was.primaryKey(),
          secondary != null ? secondary : was == null ? made() : was.secondaryKey(),
          time(node, "CreatedTime"),
          time(node, "ModifiedTime"));
    } catch (IllegalArgumentException wrong) {
      throw Problem.bad(String.valueOf(wrong.getMessage()));
    }
  }

  /** What a client says; 0 for nothing, which is then not shown either. */
  private static long time(XmlNode node, String child) {
    var given = text(node, child);
    return given == null ? 0 : Instants.millis(given);
  }

  private static Set<Right> rights(@Nullable XmlNode given) {
    var rights = EnumSet.noneOf(Right.class);
    for (var node : given == null ? List.<XmlNode>of() : given.children()) {
      rights.add(right(node.value()));
    }
    if (rights.isEmpty()) {
      throw Problem.bad("An authorization rule has no Rights");
    }
    return rights;
  }

  private static Right right(String claim) {
    for (var right : Right.values()) {
      if (right.claim().equalsIgnoreCase(claim)) {
        return right;
      }
    }
    throw Problem.bad("AccessRights must be Manage, Send or Listen");
  }

  private static @Nullable String text(XmlNode node, String child) {
    var found = node.child(child);
    return found == null || found.value().isEmpty() ? null : found.value();
  }

  private static String made() {
    var bytes = new byte[KEY_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void write(EntityView shown, AtomWriter out) {
    out.open(AuthorizationRule.ATTRIBUTE);
    for (var rule : AuthorizationRule.of(shown.definition().attributes())) {
      out.open("AuthorizationRule")
          .attribute("i:type", "SharedAccessAuthorizationRule")
          .element("ClaimType", "SharedAccessKey")
          .element("ClaimValue", "None")
          .open("Rights");
      for (var right : List.of(Right.MANAGE, Right.SEND, Right.LISTEN)) {
        if (rule.rights().contains(right)) {
          out.element("AccessRights", right.claim());
        }
      }
      out.close();
      time(out, "CreatedTime", rule.createdAtMillis());
      time(out, "ModifiedTime", rule.modifiedAtMillis());
      out.element("KeyName", rule.keyName())
          .element("PrimaryKey", rule.primaryKey())
          .element("SecondaryKey", rule.secondaryKey())
          .close();
    }
    out.close();
  }

  private static void time(AtomWriter out, String element, long millis) {
    if (millis != 0) {
      out.element(element, Instants.text(millis));
    }
  }
}
