package io.peeklock.kernel;

/**
 * Who asked, and so who must be told: a link, a request channel, the console. Opaque to the kernel,
 * which only compares it by identity and hands it back in effects.
 */
public interface Origin {}
