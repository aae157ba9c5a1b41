/** JMH benchmarks. The class doc of each holds the command that runs it. */
@NullMarked
package io.peeklock.benchmarks;

import org.jspecify.annotations.NullMarked;
