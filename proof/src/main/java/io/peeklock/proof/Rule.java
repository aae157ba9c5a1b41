package io.peeklock.proof;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rules that a test proves, so that the build can print which ones nobody proves.
 *
 * <p>An id is {@code S-001} (behaviour), {@code I-05} (invariant), or {@code T-69} (trap of the
 * wire), as numbered in {@code docs/internals}. On a class it holds for every test in it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Rule {

  /** The ids, at least one, each spelled in full. */
  String[] value();
}
