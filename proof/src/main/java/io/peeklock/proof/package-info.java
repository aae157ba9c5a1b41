/**
 * What a test says about itself: {@link io.peeklock.proof.Rule} names the rules that it proves.
 * Every room may use it in its tests; it knows nobody.
 */
@NullMarked
package io.peeklock.proof;

import org.jspecify.annotations.NullMarked;
