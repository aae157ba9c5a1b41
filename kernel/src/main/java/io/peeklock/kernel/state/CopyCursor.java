package io.peeklock.kernel.state;

/**
 * How far the first message of a topic's backlog is copied, when that is done in parts.
 *
 * @param message its number in the backlog
 * @param upTo the number of the last subscription, in order of creation, that was served; it may
 *     have been deleted since
 */
public record CopyCursor(long message, int upTo) {}
