package io.peeklock.runtime.access;

import java.util.Set;

/** Whether a token opens what it was shown for. */
public sealed interface AccessDecision {
  /**
   * It does.
   *
   * @param policyName who signed it
   * @param rights what it grants on the audience and all below
   * @param endsAtMillis UTC milliseconds at which the rights end, the allowance for skewed clocks
   *     included (S-467, S-468)
   */
  record Granted(String policyName, Set<Right> rights, long endsAtMillis)
      implements AccessDecision {}

  /**
   * It does not.
   *
   * @param flaw of which kind the reason is
   * @param reason a sentence for the client, without secrets
   */
  record Denied(Flaw flaw, String reason) implements AccessDecision {}

  /** What is wrong with a token. */
  enum Flaw {
    /** It is no shared access signature, or one without a readable expiry. */
    FORM,
    /** Nobody who is known here signed it. */
    SIGNATURE,
    /** It is over. */
    EXPIRED,
    /** It opens something else. */
    RESOURCE
  }
}
