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
   * @param reason a sentence for the client, without secrets
   */
  record Denied(String reason) implements AccessDecision {}
}
