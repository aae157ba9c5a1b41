package io.peeklock.runtime.access;

import io.peeklock.runtime.access.AccessDecision.Flaw;
import io.peeklock.runtime.thread.AnyThread;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The policies of a namespace, and the check of logins and tokens against them. */
@AnyThread
public final class AccessControl {
  /** The allowance for skewed clocks, in milliseconds (S-468). */
  public static final long SKEW_MILLIS = 300_000;

  private static final String HMAC = "HmacSHA256";
  private static final long LAST_TOLD_SECONDS = 253_402_300_799L; // of the year 9999

  private final Policy nobody;
  private final EntityPolicies entities;
  private final Predicate<String> isOwnHost;
  private volatile Map<String, Policy> policies = Map.of();

  /** Uses these policies of the namespace, and none of entities. */
  public AccessControl(List<Policy> policies) {
    this(policies, EntityPolicies.NONE);
  }

  /** Uses these policies of the namespace, and those of entities. */
  public AccessControl(List<Policy> policies, EntityPolicies entities) {
    this(policies, entities, "localhost"::equals);
  }

  /**
   * Uses these policies of the namespace, and those of entities.
   *
   * @param isOwnHost whether a name, with or without a port, in lower case, is one of the broker's.
   *     Some clients sign for a host without a scheme, which reads like the path of an entity: a
   *     name that others can choose must not pass for a host
   */
  public AccessControl(
      List<Policy> policies, EntityPolicies entities, Predicate<String> isOwnHost) {
    this.entities = entities;
    this.isOwnHost = isOwnHost;
    var random = new byte[32];
    new SecureRandom().nextBytes(random);
    var key = Secret.of(HexFormat.of().formatHex(random));
    this.nobody = Policy.root(key);
    replace(policies);
  }

  /**
   * Replaces the policies of the namespace; tokens signed with a removed key are refused from now
   * on (S-473).
   */
  public void replace(List<Policy> newPolicies) {
    var byName = new HashMap<String, Policy>();
    for (var policy : newPolicies) {
      byName.put(policy.name().toLowerCase(Locale.ROOT), policy);
    }
    policies = Map.copyOf(byName);
  }

  /**
   * Whether a policy still has the key by which somebody was let in, and the right.
   *
   * @param right the right that is needed; null for any
   */
  public boolean holds(Credential credential, @Nullable Right right) {
    var now = current(credential);
    return now != null && (right == null || now.rights().contains(right));
  }

  private @Nullable Policy current(Credential credential) {
    if (credential.scope().isEmpty()) {
      var policy = policies.get(credential.policyName().toLowerCase(Locale.ROOT));
      return policy != null && credential.isOf(policy) ? policy : null;
    }
    return entities.reaching(credential.scope()).stream()
        .filter(credential::isOf)
        .findFirst()
        .orElse(null);
  }

  /**
   * The policies that a name and a key log in to, each for its scope and everything below: that of
   * the namespace, which most logins mean, or else those of entities (S-464, S-469, S-470).
   *
   * @return empty when the name or the key is wrong; both take the same time
   */
  public List<Policy> logIn(String name, byte[] key) {
    var onNamespace = authenticate(name, key);
    var onEntities = entities.openedBy(name, key);
    return onNamespace == null ? onEntities : List.of(onNamespace);
  }

  /**
   * The policy of the namespace with a name and one of its keys.
   *
   * @return null when there is no such policy or the key is wrong
   */
  public @Nullable Policy authenticate(String name, byte[] key) {
    var policy = policies.get(name.toLowerCase(Locale.ROOT));
    var known = policy == null ? nobody : policy;
    // Both keys are always compared, so that the time does not show which one matched.
    var primary = known.primary().matches(key);
    var secondary = known.secondary().matches(key);
    return primary || secondary ? policy : null;
  }

  /**
   * Verifies a SAS token in the order of amqp.md 2.4: form, signature, expiry, scope. The signature
   * is checked over the text as sent, in constant time, also for an unknown name. The policy that
   * signed it belongs to the namespace, or to an entity at or above the audience (S-469).
   *
   * @param audience the resource to access: an address or URI
   * @param nowMillis UTC milliseconds by the wall clock
   */
  public AccessDecision verify(String text, String audience, long nowMillis) {
    var path = ResourcePath.normalise(audience);
    return verify(text, path, path, true, nowMillis);
  }

  /**
   * The same for a request about one resource that needs rights on another, such as on the
   * namespace to create a queue (S-476).
   *
   * @param path what the token must be for, normalised by {@link ResourcePath}
   * @param scope the resource that the signing policy must cover, normalised; at or above {@code
   *     path}
   */
  public AccessDecision verify(String text, String path, String scope, long nowMillis) {
    return verify(text, path, scope, true, nowMillis);
  }

  /**
   * The same for an additional token of a request, whose resource clients write in different ways:
   * only its signer is checked.
   *
   * @param path the resource that the policy must cover, normalised
   */
  public AccessDecision verifySigner(String text, String path, long nowMillis) {
    return verify(text, path, path, false, nowMillis);
  }

  private AccessDecision verify(
      String text, String path, String scope, boolean named, long nowMillis) {
    var token = SasToken.parse(text);
    if (token == null) {
      return denied(Flaw.FORM, "The token is not a well-formed shared access signature");
    }
    var policy = signer(token, path);
    var key = policy == null ? null : keyOf(token, policy);
    if (policy == null || key == null) {
      return denied(Flaw.SIGNATURE, "The token has an invalid signature");
    }
    var seconds = token.expirySeconds();
    if (seconds == null) {
      return denied(Flaw.FORM, "The token has no valid expiry");
    }
    var endsAt = endOf(seconds);
    if (endsAt <= nowMillis) {
      return denied(
          Flaw.EXPIRED,
          "The token is expired. Expiration time: " + Instant.ofEpochMilli(told(seconds)));
    }
    if ((named && !isFor(token.resource(), path)) || !ResourcePath.covers(policy.scope(), scope)) {
      return denied(Flaw.RESOURCE, "The token was not issued for this resource");
    }
    return new AccessDecision.Granted(
        new Credential(policy.name(), policy.scope(), key), policy.rights(), endsAt);
  }

  private boolean isFor(String resource, String path) {
    if (ResourcePath.covers(ResourcePath.normalise(resource), path)) {
      return true;
    }
    if (resource.contains("://")) {
      return false;
    }
    var slash = resource.indexOf('/');
    var host = slash < 0 ? resource : resource.substring(0, slash);
    return isOwnHost.test(host.toLowerCase(Locale.ROOT))
        && ResourcePath.covers(ResourcePath.normalise("sb://" + resource), path);
  }

  /** A time that can be written, whatever the token says. */
  private static long told(long seconds) {
    return Math.clamp(seconds, 0, LAST_TOLD_SECONDS) * 1_000;
  }

  /**
   * The policy that signed a token. All policies of its name are tried, that of the namespace
   * first, as it signs most tokens.
   */
  private @Nullable Policy signer(SasToken token, String path) {
    var onNamespace = policies.get(token.policyName().toLowerCase(Locale.ROOT));
    var signer =
        keyOf(token, onNamespace == null ? nobody : onNamespace) == null ? null : onNamespace;
    if (signer == null) {
      for (var policy : entities.reaching(path)) {
        if (policy.name().equalsIgnoreCase(token.policyName()) && keyOf(token, policy) != null) {
          signer = policy;
        }
      }
    }
    return signer;
  }

  private static AccessDecision denied(Flaw flaw, String reason) {
    return new AccessDecision.Denied(flaw, reason);
  }

  private static long endOf(long seconds) {
    if (seconds >= Long.MAX_VALUE / 1_000 - SKEW_MILLIS) {
      return Long.MAX_VALUE;
    }
    return Math.max(0, seconds) * 1_000 + SKEW_MILLIS;
  }

  /** The key that signed it; null for none. Both are always tried, for the time's sake. */
  private static @Nullable Secret keyOf(SasToken token, Policy policy) {
    var text = token.signedText();
    var primary = MessageDigest.isEqual(hmac(policy.primary(), text), token.signature());
    var secondary = MessageDigest.isEqual(hmac(policy.secondary(), text), token.signature());
    var other = secondary ? policy.secondary() : null;
    return primary ? policy.primary() : other;
  }

  private static byte[] hmac(Secret key, byte[] text) {
    try {
      var mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key.bytes(), HMAC));
      return mac.doFinal(text);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has " + HMAC, missing);
    }
  }
}
