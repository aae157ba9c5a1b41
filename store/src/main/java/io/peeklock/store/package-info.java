/**
 * Looks after the files of a broker: verify, dump, repair, backup and restore.
 *
 * <p>Start at {@link io.peeklock.store.StoreMain}. What the bytes mean is the journal's to say
 * ({@link io.peeklock.journal.inspection.StoreFolder}); what a damaged log comes to is the
 * kernel's.
 */
@NullMarked
package io.peeklock.store;

import org.jspecify.annotations.NullMarked;
