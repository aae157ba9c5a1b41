package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.simulator.history.SentMessage;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Messages as columns that the kernel takes. */
final class SendBursts {
  private SendBursts() {}

  static SendBurst burst(List<SentMessage> messages, QueueDefinition to) {
    var count = messages.size();
    var headerBytes = new int[count];
    var sizes = new int[count];
    var due = new long[count];
    var ids = new long[2 * count];
    var sessions = new @Nullable String[count];
    var timesToLive = new long[count];
    var isScheduled = false;
    for (var i = 0; i < count; i++) {
      var message = messages.get(i);
      headerBytes[i] = SimMessage.leastBytes(message);
      sizes[i] = bytes(message);
      due[i] = message.dueAtMillis();
      isScheduled |= due[i] != SendBurst.AT_ONCE;
      SimMessageView.hash(message.messageId(), ids, 2 * i);
      sessions[i] = message.sessionId();
      timesToLive[i] = message.timeToLiveMillis();
    }
    return new SendBurst(
        count,
        sizes,
        headerBytes,
        timesToLive,
        isScheduled ? due : null,
        to.duplicateWindowMillis() > 0 ? ids : null,
        to.requiresSession() ? sessions : null,
        to.role() instanceof QueueRole.Topic ? i -> view(messages.get(i)) : null);
  }

  /** What a message is stored with: never less than its head. */
  static int bytes(SentMessage message) {
    return Math.max(message.bytes(), SimMessage.leastBytes(message));
  }

  private static SimMessageView view(SentMessage sent) {
    var message =
        new SimMessage(
            sent.tag(),
            sent.messageId(),
            sent.sessionId(),
            sent.timeToLiveMillis(),
            new TreeMap<>(sent.properties()));
    return new SimMessageView(message, new TreeMap<>());
  }
}
