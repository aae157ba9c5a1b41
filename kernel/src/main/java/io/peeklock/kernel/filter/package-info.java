/**
 * Filters and actions: which message a rule selects, and how its action changes the copy. Pure:
 * imports no topic, no subscription and no encoding.
 *
 * <p>Start at {@link io.peeklock.kernel.filter.RuleTable}, which finds the rules that match a
 * {@link io.peeklock.kernel.filter.FilterSubject}. A text becomes a {@link
 * io.peeklock.kernel.filter.SqlFilter} or {@link io.peeklock.kernel.filter.SqlAction} through
 * lexer, parser and tree; the tree is compiled when it is used.
 */
@NullMarked
package io.peeklock.kernel.filter;

import org.jspecify.annotations.NullMarked;
