/**
 * Rules as the administration API has them: filters, actions, and values with their types. Imports
 * {@code atom} and the filters of the kernel; asks nobody anything.
 *
 * <p>Start at {@link io.peeklock.http.admin.rules.RuleForm}.
 */
@NullMarked
package io.peeklock.http.admin.rules;

import org.jspecify.annotations.NullMarked;
