package io.peeklock.runtime.access;

import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The policies of durable queues and topics, which also cover everything below them. */
public final class CataloguePolicies implements EntityPolicies {
  private static final int LONGEST_PATH = 1_024;

  private final Supplier<Catalogue> catalogue;
  private volatile Passwords passwords = Passwords.NONE;

  /** Reads the catalogue anew for each call. */
  public CataloguePolicies(Supplier<Catalogue> catalogue) {
    this.catalogue = catalogue;
  }

  @Override
  public List<Policy> reaching(String path) {
    if (path.length() > LONGEST_PATH) {
      return List.of(); // no entity has such a path
    }
    var now = catalogue.get();
    var found = new ArrayList<Policy>();
    for (var end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      var above = path.substring(0, end);
      var entry = now.queue(above);
      if (entry != null && !(entry.definition().role() instanceof QueueRole.Subscription)) {
        for (var rule : AuthorizationRule.of(entry.definition().attributes())) {
          found.add(rule.on(above));
        }
      }
    }
    return found;
  }

  @Override
  public List<Policy> openedBy(String name, byte[] key) {
    // Two threads may both update it, with the same result.
    var now = passwords.of(catalogue.get());
    passwords = now;
    return now.find(name, key);
  }
}
