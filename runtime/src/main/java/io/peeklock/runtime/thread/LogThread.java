package io.peeklock.runtime.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Runs only on the thread of a journal that writes its log. */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LogThread {}
