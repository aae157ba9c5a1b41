package io.peeklock.runtime.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Runs on one event loop alone, that of its connection where it has one, and must not wait. */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface EventLoopThread {}
