package io.peeklock.runtime.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * Runs on the thread of its shard alone, {@link io.peeklock.runtime.ShardExecutor}: no lock, no
 * wait.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ShardThread {}
