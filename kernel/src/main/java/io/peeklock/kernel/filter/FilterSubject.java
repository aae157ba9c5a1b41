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
   * @param into {@link ValueType#MISSING} at the call, and left so when the message does not have
   *     it. Ids that are not strings on the wire are given as their canonical text.
   */
  void system(SystemProperty property, FilterValue into);

  /**
   * Reads an application property: the first whose key {@link PropertyName#matches} the name.
   *
   * @param into {@link ValueType#MISSING} at the call, and left so when there is none
   */
  void user(PropertyName name, FilterValue into);

  /**
   * The cost of reading one application property, in steps: how many properties the message has.
   */
  default int readCost() {
    return 1;
  }
}
