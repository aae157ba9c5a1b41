package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;

/** Reads the ledger; leaves its messages where they are until their lock ends. */
final class Clerk implements Stage.Part {
  private static final long FROM_LEDGER = 1;

  private final Stage stage;

  Clerk(Stage stage) {
    this.stage = stage;
  }

  @Override
  public void on(Conversation conversation) throws IOException {
    var ledger = conversation.receiver(FROM_LEDGER, RawLinks.receiver(FROM_LEDGER, Stage.LEDGER));
    while (!stage.over()) {
      if (!read(conversation, ledger)) {
        Pause.shortly();
      }
    }
  }

  /** Reads all that is there, to the end. */
  void readToTheEnd(Conversation conversation) throws IOException {
    var ledger = conversation.receiver(FROM_LEDGER, RawLinks.receiver(FROM_LEDGER, Stage.LEDGER));
    while (read(conversation, ledger)) {
      // the next one
    }
  }

  private boolean read(Conversation conversation, Conversation.Incoming ledger) throws IOException {
    var delivery = conversation.next(ledger);
    if (delivery == null) {
      return false;
    }
    stage.entered(delivery.message().messageId(), delivery.message().sequenceNumber());
    conversation.acknowledge(delivery);
    return true;
  }
}
