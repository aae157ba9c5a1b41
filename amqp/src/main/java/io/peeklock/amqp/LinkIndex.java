package io.peeklock.amqp;

import io.peeklock.amqp.engine.AmqpSession;
import io.peeklock.kernel.QueueId;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of a connection, found without a look at all of them: there may be ten thousand, and
 * each request asks, and each delivery that is settled in a transaction. Belongs to the connection.
 */
@EventLoopThread
final class LinkIndex {
  private final Map<String, Set<NodeLink>> byName = new HashMap<>();
  private final Map<AmqpSession, OfSession> bySession = new HashMap<>();
  private final Map<String, ConsumerLink> holders = new HashMap<>();

  /** What an AMQP session has. */
  private static final class OfSession {
    final Set<NodeLink> entities = new LinkedHashSet<>();
    final Map<String, Set<ReplyLink>> replies = new HashMap<>();
    int links;
    int coordinators;

    void count(NodeLink link, int more) {
      links += more;
      coordinators += link instanceof CoordinatorLink ? more : 0;
    }
  }

  /** A link is made; each only once. */
  void add(NodeLink link) {
    put(byName, link.link().name(), link);
    var session = bySession.computeIfAbsent(link.link().session(), one -> new OfSession());
    session.count(link, 1);
    if (link instanceof ProducerLink || link instanceof ConsumerLink) {
      session.entities.add(link);
    } else if (link instanceof ReplyLink reply) {
      put(session.replies, anyOf(reply.address), reply);
      put(session.replies, named(reply.address, reply.link().name()), reply);
      put(session.replies, named(reply.address, reply.replyAddress()), reply);
    }
  }

  /** A link that was added is over. */
  void remove(NodeLink link) {
    take(byName, link.link().name(), link);
    var session = bySession.get(link.link().session());
    if (session == null) {
      return;
    }
    session.count(link, -1);
    session.entities.remove(link);
    if (link instanceof ReplyLink reply) {
      take(session.replies, anyOf(reply.address), reply);
      take(session.replies, named(reply.address, reply.link().name()), reply);
      take(session.replies, named(reply.address, reply.replyAddress()), reply);
    }
    if (session.links == 0) {
      bySession.remove(link.link().session());
    }
  }

  /** The links of a name; those of different sessions may have the same. */
  Collection<NodeLink> named(@Nullable String name) {
    return name == null ? List.of() : byName.getOrDefault(name, Set.of());
  }

  /** The first link of a session to or from an entity, in the order in which they were made. */
  @Nullable NodeLink firstOf(AmqpSession session) {
    var known = bySession.get(session);
    return known == null || known.entities.isEmpty() ? null : known.entities.iterator().next();
  }

  /** Whether a session has a coordinator's link. */
  boolean isTransactional(AmqpSession session) {
    var known = bySession.get(session);
    return known != null && known.coordinators > 0;
  }

  /**
   * Where an answer goes: to a reply link of the same session and node; if there are more, to the
   * one that is called so by target address or link name, else to the first.
   */
  @Nullable ReplyLink replyLink(AmqpSession session, EntityAddress address, @Nullable String name) {
    var known = bySession.get(session);
    if (known == null) {
      return null;
    }
    var found = known.replies.get(named(address, name));
    if (found == null) {
      found = known.replies.get(anyOf(address));
    }
    return found == null ? null : found.iterator().next();
  }

  /** A link got a session of a queue. */
  void holds(ConsumerLink link, QueueId queue, String sessionId) {
    holders.put(key(queue, sessionId), link);
  }

  /** It has it no longer. */
  void lost(ConsumerLink link, QueueId queue, String sessionId) {
    holders.remove(key(queue, sessionId), link);
  }

  /** Who holds a session of a queue. */
  @Nullable ConsumerLink holderOf(QueueId queue, String sessionId) {
    return holders.get(key(queue, sessionId));
  }

  private static String key(QueueId queue, String sessionId) {
    return queue.number() + "/" + sessionId;
  }

  /** With the length, so that no resource and name together look like others. */
  private static String anyOf(EntityAddress address) {
    return (address.cbs() ? "token" : "node") + address.resource().length() + address.resource();
  }

  private static String named(EntityAddress address, @Nullable String name) {
    return name == null ? anyOf(address) : anyOf(address) + "\n" + name;
  }

  private static <T> void put(Map<String, Set<T>> map, String key, T link) {
    map.computeIfAbsent(key, one -> new LinkedHashSet<>(2)).add(link);
  }

  private static <T> void take(Map<String, Set<T>> map, String key, T link) {
    var links = map.get(key);
    if (links != null && links.remove(link) && links.isEmpty()) {
      map.remove(key);
    }
  }
}
