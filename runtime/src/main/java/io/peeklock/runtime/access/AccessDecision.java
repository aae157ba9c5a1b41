package io.peeklock.runtime.access;

import java.util.Set;

/** Whether a token grants access. */
public sealed interface AccessDecision {
  /**
   * It does.
   *
   * @param credential the policy and the key that signed the token
   * @param rights the rights on the audience and everything below
   * @param endsAtMillis UTC milliseconds at which the rights end, the allowance for skewed clocks
   *     included (S-467, S-468)
   */
  record Granted(Credential credential, Set<Right> rights, long endsAtMillis)
      implements AccessDecision {

    /** The policy that signed the token. */
    public String policyName() {
      return credential.policyName();
    }
  }

  /**
   * It does not.
   *
   * @param flaw the kind of the reason
   * @param reason a sentence for the client, without secrets
   */
  record Denied(Flaw flaw, String reason) implements AccessDecision {}

  /** What is wrong with a token. */
  enum Flaw {
    /** It is no shared access signature, or has no readable expiry. */
    FORM("InvalidSignature"),
    /** No known policy signed it. */
    SIGNATURE("InvalidSignature"),
    /** It has expired. */
    EXPIRED("ExpiredToken"),
    /** It is for another resource. */
    RESOURCE("InvalidAudience");

    private final String word;

    Flaw(String word) {
      this.word = word;
    }

    /** What the vendor calls it; its clients' texts begin with it. */
    public String word() {
      return word;
    }
  }
}
