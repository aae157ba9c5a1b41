package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.simulator.history.SentMessage;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Messages as columns that the kernel takes. */
final class Post {
  private Post() {}

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
      headerBytes[i] = Letter.leastBytes(message);
      sizes[i] = bytes(message);
      due[i] = message.dueAtMillis();
      isScheduled |= due[i] != SendBurst.AT_ONCE;
      LetterView.hash(message.messageId(), ids, 2 * i);
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
    return Math.max(message.bytes(), Letter.leastBytes(message));
  }

  private static LetterView view(SentMessage message) {
    var letter =
        new Letter(
            message.tag(),
            message.messageId(),
            message.sessionId(),
            new TreeMap<>(message.properties()));
    return new LetterView(letter, new TreeMap<>());
  }
}
