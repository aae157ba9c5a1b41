package io.peeklock.http.admin.atom;

/** Why a request is not granted: what the client is told instead (admin-http.md 12.2). */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final int subCode;

  /**
   * A refusal.
   *
   * @param status of HTTP, such as 409
   * @param subCode the vendor's finer number, such as 40900; 0 for none
   * @param sentence for people, without a period at its end and without secrets
   */
  public Problem(int status, int subCode, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
    this.subCode = subCode;
  }

  /** A value or a form that cannot be. */
  public static Problem bad(String sentence) {
    return new Problem(400, 40_000, sentence);
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** The vendor's finer number; 0 for none. */
  public int subCode() {
    return subCode;
  }

  /** For people. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
