/**
 * The commands for the files of a broker: verify, dump, repair, backup and restore. The journal
 * interprets the bytes ({@link io.peeklock.journal.inspection.StoreFolder}), the kernel the facts.
 * Imports these and the runtime, no edge and not the server.
 *
 * <p>Start at {@link io.peeklock.store.StoreMain}.
 */
@NullMarked
package io.peeklock.store;

import org.jspecify.annotations.NullMarked;
