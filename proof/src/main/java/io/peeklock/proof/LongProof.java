package io.peeklock.proof;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that takes many seconds: it kills, cuts power, waits for crowds, or repeats a story with
 * many seeds. {@code mvn -B verify} leaves it out, {@code mvn -B verify -Pproof} runs it, and so
 * does CI.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag(LongProof.TAG)
public @interface LongProof {

  /** By which the build knows such tests. */
  String TAG = "long-proof";
}
