package io.peeklock.runtime.meter;

/**
 * How much of a budget is taken: of memory or places that many share.
 *
 * @param name short, the same for the life of the process; docs/guide/limits.md has them all
 * @param taken now
 * @param most that may be taken
 * @param refused how often somebody was refused for want of it, since the start
 */
public record BudgetUse(String name, long taken, long most, long refused) {}
