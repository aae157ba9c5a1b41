package io.peeklock.runtime.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Runs only on one event loop, that of its connection if it has one, and must not wait. */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface EventLoopThread {}
