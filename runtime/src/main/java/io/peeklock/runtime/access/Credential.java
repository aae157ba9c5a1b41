package io.peeklock.runtime.access;

/**
 * The key of a policy by which somebody was let in. What is opened with it later asks again whether
 * the policy still has it (S-473).
 *
 * @param policyName looked up without regard to case
 * @param scope the path that the policy belongs to; empty for the namespace
 */
public record Credential(String policyName, String scope, Secret key) {

  /** The one of a policy and these bytes, which are one of its keys. */
  public static Credential of(Policy policy, byte[] key) {
    return new Credential(
        policy.name(),
        policy.scope(),
        policy.primary().matches(key) ? policy.primary() : policy.secondary());
  }

  boolean isOf(Policy policy) {
    return policy.name().equalsIgnoreCase(policyName)
        && policy.scope().equals(scope)
        && (policy.primary().equals(key) || policy.secondary().equals(key));
  }
}
