/**
 * Clocks, journals and fixtures for tests. A fake passes the contract test of the real one and can
 * be cruel on purpose.
 */
@NullMarked
package io.peeklock.testkit;

import org.jspecify.annotations.NullMarked;
