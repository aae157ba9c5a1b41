package io.peeklock.kernel.request;

/**
 * A transaction that locks are enlisted in. Opaque to the kernel, which only compares it; two are
 * equal only when they are the same object, so an implementation leaves {@code equals} alone.
 */
public interface Transaction {}
