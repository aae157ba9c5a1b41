package io.peeklock.amqp.link;

import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index of the links of a connection, as there may be ten thousand and each request, and each
 * delivery settled in a transaction, needs one.
 */
@EventLoopThread
public final class LinkIndex {
  private final Map<String, Set<NodeLink>> byName = new HashMap<>();
  private final Map<AmqpSession, OfSession> bySession = new HashMap<>();

  /** The links of an AMQP session. */
  private static final class OfSession {
    final Set<NodeLink> entities = new LinkedHashSet<>();
    int links;
    int coordinators;

    void count(NodeLink link, int more) {
      links += more;
      coordinators += link.kind() == LinkKind.COORDINATOR ? more : 0;
    }
  }

  /** Adds a link, which must not be in the index. */
  public void add(NodeLink link) {
    byName.computeIfAbsent(link.link().name(), one -> new LinkedHashSet<>(2)).add(link);
    var session = bySession.computeIfAbsent(link.link().session(), one -> new OfSession());
    session.count(link, 1);
    if (link.kind().isOfEntity()) {
      session.entities.add(link);
    }
  }

  /** Removes a link that was added. */
  public void remove(NodeLink link) {
    var name = link.link().name();
    var namesakes = byName.get(name);
    if (namesakes != null && namesakes.remove(link) && namesakes.isEmpty()) {
      byName.remove(name);
    }
    var session = bySession.get(link.link().session());
    if (session == null) {
      return;
    }
    session.count(link, -1);
    session.entities.remove(link);
    if (session.links == 0) {
      bySession.remove(link.link().session());
    }
  }

  /** The links of a name, which may be one in each session. */
  public Collection<NodeLink> named(@Nullable String name) {
    return name == null ? List.of() : byName.getOrDefault(name, Set.of());
  }

  /** Marks the links of a name as active, as a management call names them (T-61). */
  public void touch(String name) {
    named(name).forEach(NodeLink::active);
  }

  /** The oldest link of a session to or from an entity; null for none. */
  public @Nullable NodeLink firstOf(AmqpSession session) {
    var known = bySession.get(session);
    return known == null || known.entities.isEmpty() ? null : known.entities.iterator().next();
  }

  /** Whether a session has a coordinator's link. */
  public boolean isTransactional(AmqpSession session) {
    var known = bySession.get(session);
    return known != null && known.coordinators > 0;
  }
}
