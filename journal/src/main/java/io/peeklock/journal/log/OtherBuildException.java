package io.peeklock.journal.log;

import io.peeklock.codec.UnreadableFact;
import java.io.IOException;

/** Records with a valid checksum that this build cannot read. */
public final class OtherBuildException extends IOException {
  private static final long serialVersionUID = 1L;
  private final String reason;

  /** An unreadable record at a place, which the message names. */
  public OtherBuildException(String place, UnreadableFact unreadable) {
    this(place, reason(unreadable), unreadable);
  }

  private OtherBuildException(String place, String reason, UnreadableFact unreadable) {
    super(place + ": " + reason + ". Nothing was changed", unreadable);
    this.reason = reason;
  }

  private static String reason(UnreadableFact unreadable) {
    return unreadable.getMessage()
        + ", while the bytes are as they were written: another build of Peeklock wrote them, a"
        + " newer version or an older one from before its first release; use that one";
  }

  /** The same without the place. */
  public String reason() {
    return reason;
  }
}
