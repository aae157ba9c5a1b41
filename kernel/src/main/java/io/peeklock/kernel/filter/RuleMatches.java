package io.peeklock.kernel.filter;

import java.util.Arrays;

/** The rules that match a message, and those that failed. Reused for each message. */
public final class RuleMatches {
  private int[] matched = new int[16];
  private int count;
  private int[] failed = new int[4];
  private String[] failures = new String[4];
  private int failedCount;

  void clear() {
    Arrays.fill(failures, 0, failedCount, "");
    count = 0;
    failedCount = 0;
  }

  void add(int rule) {
    if (count == matched.length) {
      matched = Arrays.copyOf(matched, count * 2);
    }
    matched[count++] = rule;
  }

  /** Drops the matches beyond the first {@code most}. */
  void keep(int most) {
    count = most;
  }

  void addFailed(int rule, String sentence) {
    if (failedCount == failed.length) {
      failed = Arrays.copyOf(failed, failedCount * 2);
      failures = Arrays.copyOf(failures, failedCount * 2);
    }
    failed[failedCount] = rule;
    failures[failedCount++] = sentence;
  }

  void sort() {
    Arrays.sort(matched, 0, count);
  }

  /** How many rules match. */
  public int count() {
    return count;
  }

  /** The i-th rule that matches; they ascend. */
  public int rule(int i) {
    return matched[i];
  }

  /** How many rules could not be evaluated; the caller decides what that means for the message. */
  public int failedCount() {
    return failedCount;
  }

  /** The i-th rule that could not be evaluated. */
  public int failedRule(int i) {
    return failed[i];
  }

  /** Why it could not be evaluated, for the description of the dead letter (S-195). */
  public String failure(int i) {
    return failures[i];
  }
}
