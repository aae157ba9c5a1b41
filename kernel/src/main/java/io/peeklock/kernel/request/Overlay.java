package io.peeklock.kernel.request;

import io.peeklock.kernel.Decision;

/**
 * Application properties that a settlement changes, as far as the rules see them. The bytes
 * are staged as the only body of the request and stored like one. They replace an earlier overlay
 * of the message, so they must already contain it.
 *
 * @param bytes size of the encoded properties
 * @param mergedOver body id of the earlier overlay that these bytes contain, 0 for none; when it is
 *     not the message's present one, {@code decide} answers with {@link Decision#needs()}
 */
public record Overlay(int bytes, long mergedOver) {}
