/** How the journal is proved: a cruel disk, all threads on one, a naive model to compare with. */
@NullMarked
package io.peeklock.journal;

import org.jspecify.annotations.NullMarked;
