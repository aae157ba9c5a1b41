/** What clients see of the limits of a profile. */
@NullMarked
package io.peeklock.conformance.profile;

import org.jspecify.annotations.NullMarked;
