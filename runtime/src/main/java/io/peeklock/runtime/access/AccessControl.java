package io.peeklock.runtime.access;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a namespace, and the check of what claims to be signed by them. Safe for any
 * thread.
 */
public final class AccessControl {
  /** Allowance for skewed clocks (S-468). */
  public static final long SKEW_MILLIS = 300_000;

  private static final String HMAC = "HmacSHA256";

  private final Policy nobody;
  private volatile Map<String, Policy> policies = Map.of();

  /** Knows these policies. */
  public AccessControl(List<Policy> policies) {
    var random = new byte[32];
    new SecureRandom().nextBytes(random);
    var key = Secret.of(HexFormat.of().formatHex(random));
    this.nobody = Policy.root(key);
    replace(policies);
  }

  /** From now on knows these policies only; tokens of a key that is gone are refused (S-473). */
  public void replace(List<Policy> newPolicies) {
    var byName = new HashMap<String, Policy>();
    for (var policy : newPolicies) {
      byName.put(policy.name().toLowerCase(Locale.ROOT), policy);
    }
    policies = Map.copyOf(byName);
  }

  /**
   * The policy of a name and one of its keys (S-464).
   *
   * @return null when there is no such policy or the key is another
   */
  public @Nullable Policy authenticate(String name, byte[] key) {
    var policy = policies.get(name.toLowerCase(Locale.ROOT));
    var known = policy == null ? nobody : policy;
    // Both are compared, always: the time must not tell which one it was.
    var primary = known.primary().matches(key);
    var secondary = known.secondary().matches(key);
    return primary || secondary ? policy : null;
  }

  /**
   * Verifies a SAS token in the order of amqp.md 2.4: form, signature, expiry, scope. The signature
   * is checked over the text as sent, in constant time, also for a name that nobody has.
   *
   * @param audience what it shall open: an address or URI
   * @param nowMillis UTC milliseconds by the wall clock
   */
  public AccessDecision verify(String text, String audience, long nowMillis) {
    var token = SasToken.parse(text);
    if (token == null) {
      return new AccessDecision.Denied("The token is not a well-formed shared access signature");
    }
    var policy = policies.get(token.policyName().toLowerCase(Locale.ROOT));
    var signed = isSigned(token, policy == null ? nobody : policy);
    if (policy == null || !signed) {
      return new AccessDecision.Denied("The token has an invalid signature");
    }
    var seconds = token.expirySeconds();
    if (seconds == null) {
      return new AccessDecision.Denied("The token has no valid expiry");
    }
    var endsAt = endOf(seconds);
    if (endsAt <= nowMillis) {
      return new AccessDecision.Denied("The token is expired");
    }
    var asked = ResourcePath.normalise(audience);
    if (!ResourcePath.covers(ResourcePath.normalise(token.resource()), asked)
        || !ResourcePath.covers(policy.scope(), asked)) {
      return new AccessDecision.Denied("The token was not issued for this resource");
    }
    return new AccessDecision.Granted(policy.name(), policy.rights(), endsAt);
  }

  private static long endOf(long seconds) {
    if (seconds >= Long.MAX_VALUE / 1_000 - SKEW_MILLIS) {
      return Long.MAX_VALUE;
    }
    return Math.max(0, seconds) * 1_000 + SKEW_MILLIS;
  }

  private static boolean isSigned(SasToken token, Policy policy) {
    var text = token.signedText();
    var primary = MessageDigest.isEqual(hmac(policy.primary(), text), token.signature());
    var secondary = MessageDigest.isEqual(hmac(policy.secondary(), text), token.signature());
    return primary || secondary;
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
