package io.peeklock.runtime.message;

/** The text properties of a message, by the names that clients know (S-072). */
public enum TextProperty {
  /** Names the message for its application and for duplicate detection; at most 128 characters. */
  MESSAGE_ID,
  /** What the message answers. */
  CORRELATION_ID,
  /** How the body is to be read; ASCII. */
  CONTENT_TYPE,
  /** What the message is about; {@code Label} of old. */
  SUBJECT,
  /** Where it is meant to go; the broker does not read it. */
  TO,
  /** Where an answer should go. */
  REPLY_TO,
  /** In which session an answer should go. */
  REPLY_TO_SESSION_ID,
  /** The session of the message; at most 128 characters. */
  SESSION_ID,
  /**
   * Which partition it should be in; at most 128 characters, and the session id where there is one.
   */
  PARTITION_KEY
}
