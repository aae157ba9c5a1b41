package io.peeklock.runtime.meter;

/**
 * How much of a shared budget of memory or places is taken.
 *
 * @param name short, the same for the life of the process; docs/guide/limits.md has them all
 * @param taken now
 * @param most that may be taken
 * @param refused how often a request was refused for lack of it, since the start
 */
public record BudgetUse(String name, long taken, long most, long refused) {}
