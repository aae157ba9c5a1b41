package io.peeklock.http;

import io.peeklock.runtime.access.AccessDecision.Flaw;

/**
 * What is wrong with a token, in the words and numbers of the vendor (admin-http.md 12,
 * runtime-http.md 2).
 *
 * @param word such as {@code ExpiredToken}
 * @param subCode such as 40106
 */
public record TokenFlaw(String word, int subCode) {
  /** There is no token. */
  public static final TokenFlaw MISSING = new TokenFlaw("MissingToken", 40_102);

  /** Of what was found out about one. */
  public static TokenFlaw of(Flaw flaw) {
    return switch (flaw) {
      case FORM, SIGNATURE -> new TokenFlaw(flaw.word(), 40_103);
      case RESOURCE -> new TokenFlaw(flaw.word(), 40_104);
      case EXPIRED -> new TokenFlaw(flaw.word(), 40_106);
    };
  }
}
