package io.peeklock.runtime.access;

import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.Catalogue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The policies of all entities of a catalogue, by name and key. Immutable.
 *
 * <p>A login names no entity, so it may mean any of them. Comparing its key with all would take
 * longer the more there are, and looking up the name first would reveal whether it exists. So they
 * are found by a hash of name and key together, under a secret of this process: the same work for
 * every login, whose time reveals nothing about a key.
 */
final class Passwords {
  /** Without a catalogue. */
  static final Passwords NONE = new Passwords(Catalogue.UNKNOWN, Map.of());

  private static final String HMAC = "HmacSHA256";
  private static final SecretKeySpec SECRET = secret();

  private final Catalogue catalogue;
  private final Map<String, Rules> byPath;
  private final Map<Mark, List<Policy>> byMark = new HashMap<>();

  /** The hash of a name and a key, cut to 128 bits. */
  private record Mark(long high, long low) {}

  /** The rules of one entity, read from this text. */
  private record Rules(String text, Map<Mark, Policy> policies) {}

  private Passwords(Catalogue catalogue, Map<String, Rules> byPath) {
    this.catalogue = catalogue;
    this.byPath = byPath;
    for (var rules : byPath.values()) {
      rules.policies.forEach(
          (mark, policy) -> byMark.computeIfAbsent(mark, unknown -> new ArrayList<>()).add(policy));
    }
  }

  /** The policies of another catalogue; entities whose rules are the same are not read again. */
  @SuppressWarnings("ReferenceEquality") // comparing entity by entity takes long
  Passwords of(Catalogue next) {
    if (next == catalogue) {
      return this;
    }
    var all = new HashMap<String, Rules>();
    next.queues()
        .forEach(
            (path, entry) -> {
              var text = textOf(entry);
              if (text != null) {
                var before = byPath.get(path);
                all.put(
                    path,
                    before != null && before.text.equals(text) ? before : read(path, text, entry));
              }
            });
    return new Passwords(next, all);
  }

  private static @Nullable String textOf(Catalogue.Entry entry) {
    return entry.definition().role() instanceof QueueRole.Subscription
        ? null // uses its topic's (S-470)
        : entry.definition().attributes().get(AuthorizationRule.ATTRIBUTE);
  }

  private static Rules read(String path, String text, Catalogue.Entry entry) {
    var policies = new HashMap<Mark, Policy>();
    for (var rule : AuthorizationRule.of(entry.definition().attributes())) {
      var policy = rule.on(path);
      for (var key : keysOf(policy)) {
        policies.put(mark(policy.name(), key.bytes()), policy);
      }
    }
    return new Rules(text, policies);
  }

  private static Set<Secret> keysOf(Policy policy) {
    return new LinkedHashSet<>(List.of(policy.primary(), policy.secondary()));
  }

  /** The policies with this name and key. */
  List<Policy> find(String name, byte[] key) {
    return List.copyOf(byMark.getOrDefault(mark(name, key), List.of()));
  }

  private static Mark mark(String name, byte[] key) {
    try {
      var mac = Mac.getInstance(HMAC);
      mac.init(SECRET);
      mac.update(name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0); // in no name
      var hash = ByteBuffer.wrap(mac.doFinal(key));
      return new Mark(hash.getLong(), hash.getLong());
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has " + HMAC, missing);
    }
  }

  private static SecretKeySpec secret() {
    var random = new byte[32];
    new SecureRandom().nextBytes(random);
    return new SecretKeySpec(random, HMAC);
  }
}
