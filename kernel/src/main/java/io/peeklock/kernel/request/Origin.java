package io.peeklock.kernel.request;

/**
 * Who asked, and so who gets the answer: a link, a request channel, the console. Opaque to the
 * kernel, which only compares it and hands it back in effects. Two origins are equal only when they
 * are the same object, so an implementation leaves {@code equals} alone.
 */
public interface Origin {}
