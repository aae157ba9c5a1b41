/**
 * Which message a rule selects, and how its action changes the copy: true, false, correlation and
 * SQL filters, and SQL actions. Pure: no topic, no subscription, no wire.
 *
 * <p>Start at {@link io.peeklock.kernel.filter.RuleTable}, which tells which of many rules match a
 * {@link io.peeklock.kernel.filter.FilterSubject}. A text becomes a {@link
 * io.peeklock.kernel.filter.SqlFilter} or {@link io.peeklock.kernel.filter.SqlAction} on its way
 * through lexer, parser and tree; the tree is compiled where it is used.
 */
@NullMarked
package io.peeklock.kernel.filter;

import org.jspecify.annotations.NullMarked;
