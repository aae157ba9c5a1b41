package io.peeklock.runtime;

import io.peeklock.kernel.Request;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A settlement that waits for an earlier overlay of its message. The home's. */
final class OverlayRead implements Journal.LoadListener {
  private static final Logger LOG = LoggerFactory.getLogger(OverlayRead.class);

  private final Submission submission;
  private final long overlayId;
  private final MessageFormat format;
  private final Consumer<Submission> submit;

  /**
   * A read that {@link #begin begins}.
   *
   * @param submit takes the settlement again, with changes that contain the earlier ones
   */
  OverlayRead(
      Submission submission, long overlayId, MessageFormat format, Consumer<Submission> submit) {
    this.submission = submission;
    this.overlayId = overlayId;
    this.format = format;
    this.submit = submit;
  }

  void begin(Journal journal) {
    var ready = journal.fetch(new long[] {overlayId}, this);
    if (ready != null) {
      loaded(ready);
    }
  }

  @Override
  public void loaded(Bodies bodies) {
    var older = bodies.buffer(0).duplicate();
    older.limit(bodies.offset(0) + bodies.length(0)).position(bodies.offset(0));
    var newer = submission.overlay() == null ? new byte[0] : submission.overlay();
    var merged = format.merge(older, newer);
    bodies.release();
    var request = ((Request.Settle) submission.request()).over(merged.length, overlayId);
    submit.accept(new Submission(request, null, merged));
  }

  @Override
  public void unreadable(long bodyId, IOException cause) {
    LOG.error("Changed properties could not be read: {}", cause.getMessage());
    ((Endpoint) submission.request().origin())
        .unreadable("body " + bodyId + ": " + cause.getMessage());
  }
}
