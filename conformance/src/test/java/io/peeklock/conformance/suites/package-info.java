/**
 * The same story told by the official clients of other languages. Each suite is a small project of
 * its own language beside this module's sources; here it is given a broker, run, and its report
 * turned into tests.
 */
@NullMarked
package io.peeklock.conformance.suites;

import org.jspecify.annotations.NullMarked;
