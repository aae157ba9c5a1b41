package io.peeklock.runtime.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** May be called from any thread, at the same time from several. */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface AnyThread {}
