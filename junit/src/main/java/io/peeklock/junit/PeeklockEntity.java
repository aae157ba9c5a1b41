package io.peeklock.junit;

import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.runtime.EntityCounting;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.server.PeeklockServer;
import java.util.ArrayList;
import java.util.List;

/**
 * What is in a queue, topic or subscription, at each call anew; nothing is locked or received by
 * looking. An assertion that fails says what is there. Safe for any thread.
 */
public final class PeeklockEntity {
  private static final int AT_A_TIME = 250;

  private final PeeklockServer server;
  private final String path;

  PeeklockEntity(PeeklockServer server, String path) {
    this.server = server;
    this.path = path;
  }

  /** Its path, as it was created. */
  public String path() {
    return path;
  }

  /** How many messages can be received or are locked. */
  public long active() {
    var counts = counts();
    return counts.active() - counts.deferred();
  }

  /** How many of them are locked now. */
  public long locked() {
    return counts().locked();
  }

  /** How many messages are set aside. */
  public long deferred() {
    return counts().deferred();
  }

  /** How many messages wait for their time; for a subscription, those wait in its topic. */
  public long scheduled() {
    return counts().scheduled();
  }

  /** How many messages are in its dead-letter queue. */
  public long deadLettered() {
    return counts().deadLetters();
  }

  /** Its messages in any state, in the order of their numbers, without the dead letters. */
  public List<PeeklockMessage> messages() {
    return at(path);
  }

  /** The messages in its dead-letter queue. */
  public List<PeeklockMessage> deadLetters() {
    return at(path + "/$deadletterqueue");
  }

  /**
   * Holds the count of active messages, locked ones included.
   *
   * @throws AssertionError when there are others; the text lists all that is there
   */
  public PeeklockEntity assertActive(long wanted) {
    return hold("active", wanted, active());
  }

  /** The same for messages that wait for their time. */
  public PeeklockEntity assertScheduled(long wanted) {
    return hold("scheduled", wanted, scheduled());
  }

  /** The same for messages that are set aside. */
  public PeeklockEntity assertDeferred(long wanted) {
    return hold("deferred", wanted, deferred());
  }

  /** The same for dead letters. */
  public PeeklockEntity assertDeadLettered(long wanted) {
    return hold("dead-lettered", wanted, deadLettered());
  }

  /** Holds that there is no message in any state, and no dead letter. */
  public PeeklockEntity assertEmpty() {
    return hold("stored", 0, counts().total());
  }

  private PeeklockEntity hold(String what, long wanted, long is) {
    if (wanted != is) {
      throw new AssertionError(
          path + " has " + is + " " + what + " messages, not " + wanted + "; it has\n" + shown());
    }
    return this;
  }

  private String shown() {
    var text = new StringBuilder();
    messages().forEach(message -> text.append("  ").append(message).append('\n'));
    deadLetters().forEach(message -> text.append("  dead: ").append(message).append('\n'));
    return text.isEmpty() ? "  nothing" : text.toString();
  }

  private EntityCounts counts() {
    var entry = server.catalogue().queue(path);
    var counts =
        entry == null
            ? null
            : Waiting.on(
                    EntityCounting.of(server.broker(), List.of(entry.queue())), "counting " + path)
                .getFirst();
    if (counts == null) {
      throw new IllegalStateException(path + " is deleted");
    }
    return counts;
  }

  private List<PeeklockMessage> at(String address) {
    var all = new ArrayList<PeeklockMessage>();
    List<ReceivedMessage> page;
    do {
      var from = all.isEmpty() ? 1 : all.getLast().sequenceNumber() + 1;
      page = page(address, from);
      page.forEach(message -> all.add(new PeeklockMessage(message)));
    } while (!page.isEmpty());
    return all;
  }

  private List<ReceivedMessage> page(String address, long from) {
    var what = "looking into " + address;
    return switch (Waiting.on(server.messages().peek(address, from, AT_A_TIME), what)) {
      case Answer.Given<List<ReceivedMessage>> given -> given.value();
      case Answer.Refused<List<ReceivedMessage>> no ->
          throw new IllegalStateException(what + " was refused: " + no.refusal());
      case Answer.Unfit<List<ReceivedMessage>> no ->
          throw new IllegalStateException(what + " failed: " + no.sentence());
    };
  }

  /** Its path and counts. */
  @Override
  public String toString() {
    return path + ": " + active() + " active of " + counts().total() + " messages";
  }
}
