package io.peeklock.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test class with a broker of its own; see {@link PeeklockExtension}. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(PeeklockExtension.class)
public @interface PeeklockTest {

  /** How long a broker lives. */
  Lifecycle lifecycle() default Lifecycle.PER_CLASS;

  /** How long a broker lives. */
  enum Lifecycle {
    /**
     * One for the class, which is reset before each test. Tests of the class must not run at the
     * same time; classes may.
     */
    PER_CLASS,
    /** One for the class, which keeps what tests leave behind; tests may run at the same time. */
    PER_CLASS_KEPT,
    /** One for each test method; constructors cannot have it as a parameter. */
    PER_METHOD
  }
}
