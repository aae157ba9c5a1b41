/** The program: the only place that wires the rooms. Configuration, life cycle, banner, main. */
@NullMarked
package io.peeklock.server;

import org.jspecify.annotations.NullMarked;
