package io.peeklock.runtime.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * Runs only on the thread of its shard, {@link io.peeklock.runtime.ShardExecutor}: needs no lock,
 * must not wait.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ShardThread {}
