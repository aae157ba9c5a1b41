package io.peeklock.amqp.management;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of a management node (amqp.md 7.2). Whatever a transaction does with it stands
 * in docs/guide/transactions.md.
 */
public enum ManagementOperation {
  /** Prolongs locks of messages. */
  RENEW_LOCK,
  /** Looks at messages. */
  PEEK_MESSAGE,
  /** Receives deferred messages. */
  RECEIVE_BY_SEQUENCE_NUMBER,
  /** Settles by lock tokens. */
  UPDATE_DISPOSITION,
  /** Prolongs the lock of a session. */
  RENEW_SESSION_LOCK,
  /** Reads the state of a session. */
  GET_SESSION_STATE,
  /** Sets or clears it. */
  SET_SESSION_STATE,
  /** Lists sessions. */
  GET_MESSAGE_SESSIONS,
  /** Sends messages for later. */
  SCHEDULE_MESSAGE,
  /** Deletes such before their time. */
  CANCEL_SCHEDULED_MESSAGE,
  /** Deletes messages without receiving them. */
  BATCH_DELETE_MESSAGES,
  /** Adds a rule to a subscription. */
  ADD_RULE,
  /** Removes one. */
  REMOVE_RULE,
  /** Lists them. */
  ENUMERATE_RULES;

  private static final String PREFIX = "com.microsoft:";
  private static final ManagementOperation[] ALL = values();

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Its name on the wire, without the vendor's prefix. */
  public String word() {
    return word;
  }

  /** The one of this name, with the prefix or without; null when there is none. */
  static @Nullable ManagementOperation of(String name) {
    var from = name.startsWith(PREFIX) ? PREFIX.length() : 0;
    for (var operation : ALL) {
      if (name.length() - from == operation.word.length() && name.endsWith(operation.word)) {
        return operation;
      }
    }
    return null;
  }
}
