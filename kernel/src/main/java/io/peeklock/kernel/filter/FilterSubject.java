package io.peeklock.kernel.filter;

/**
 * A message as filters see it: its properties, never its body (S-322). The edge implements it over
 * the stored bytes; a value is read at most once per message and name, and only when some rule asks
 * for it.
 */
public interface FilterSubject {

  /**
   * Reads a property of the message itself.
   *
   * @param into is missing when handed over, and stays so when the message does not carry it. Ids
   *     that are no strings on the wire are given as their canonical text.
   */
  void system(SystemProperty property, FilterValue into);

  /**
   * Reads an application property: the first whose key {@link PropertyName#matches} the name.
   *
   * @param into is missing when handed over, and stays so when there is none
   */
  void user(PropertyName name, FilterValue into);

  /**
   * What reading one application property costs, in steps of what a rule has: how many lie there.
   */
  default int readCost() {
    return 1;
  }
}
