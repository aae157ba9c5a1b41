package io.peeklock.http.admin.properties;

import static io.peeklock.http.admin.properties.Property.duration;
import static io.peeklock.http.admin.properties.Property.flag;
import static io.peeklock.http.admin.properties.Property.keptFlag;
import static io.peeklock.http.admin.properties.Property.number;
import static io.peeklock.http.admin.properties.Property.shown;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Instants;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNamespaces;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.http.admin.properties.Property.Range;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.AuthorizationRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Every property of every kind of entity (S-063 to S-067, admin-http.md 6), in the order in which
 * the vendor's service writes them (admin-http.md 5.1). Reading does not mind the order.
 *
 * <p>What the table of the kernel has beside is written behind those, in its plain form.
 *
 * <p>A property that is left out has its default: that of the terms where a definition has a word
 * for it, else what stands here.
 */
public final class Tables {
  /** The version of the API that brought messages of more than 256 KiB. */
  static final String LARGE_MESSAGES = "2021-05";

  /** The one that brought how many filters a topic has. */
  private static final String FILTER_COUNTS = "2024-05";

  private static final long DEFAULT_WINDOW_MILLIS = 600_000;
  private static final int LONGEST_METADATA = 1_024;

  private static final long USUAL_MEGABYTES = 1_024;

  /** Of what is shown: that which each has, how often its path, and what its keys are more. */
  private static final int USUAL_BYTES = 2_100;

  private static final int PATHS = 3;
  private static final int RULES_GROW = 4;

  /** The name of the entity, which stands around a description, and what is written otherwise. */
  private static final Set<EntityProperty<?>> OTHERWISE =
      Set.of(
          EntityProperties.PATH,
          EntityProperties.MAX_MESSAGE_SIZE,
          EntityProperties.MAX_SIZE,
          EntityProperties.DUPLICATE_WINDOW,
          EntityProperties.ATTRIBUTES,
          EntityProperties.ROLE);

  private static final Property LOCK_DURATION = PlainProperty.of(EntityProperties.LOCK_DURATION);

  private static final Property MAX_SIZE =
      number(
              "MaxSizeInMegabytes",
              new Range(ProfileTerms::leastMegabytes, ProfileTerms::mostPartitionedMegabytes),
              Tables::size,
              definition ->
                  definition.maxSizeBytes() == QueueDefinition.FOREVER
                      ? ProfileTerms.ENDLESS_MEGABYTES
                      : definition.maxSizeBytes() >> 20)
          .unless(Tables::isUsualSize);

  private static final Property REQUIRES_DUPLICATE_DETECTION =
      flag(
              "RequiresDuplicateDetection",
              DefinitionForm::detectsDuplicates,
              Tables::detectsDuplicates)
          .fixed(definition -> Boolean.toString(detectsDuplicates(definition)));

  private static final Property REQUIRES_SESSION =
      PlainProperty.of(EntityProperties.REQUIRES_SESSION);

  private static final Property TIME_TO_LIVE = PlainProperty.of(EntityProperties.TIME_TO_LIVE);

  private static final Property DEAD_LETTERING = PlainProperty.of(EntityProperties.DEAD_LETTERING);

  private static final Property DUPLICATE_WINDOW =
      duration(
          DefinitionForm.WINDOW,
          Range.of(EntityProperties.DUPLICATE_WINDOW, EntityProperties.DUPLICATE_WINDOW.range()),
          DefinitionForm::window,
          Tables::window);

  private static final Property MAX_DELIVERY_COUNT =
      PlainProperty.of(EntityProperties.MAX_DELIVERY_COUNT);

  private static final Property BATCHED = keptFlag("EnableBatchedOperations", true);
  private static final Property SIZE =
      shown("SizeInBytes", shown -> Long.toString(shown.counts().bytes()));
  private static final Property MESSAGE_COUNT =
      shown("MessageCount", shown -> clamped(shown.counts().total()));
  private static final Property ANONYMOUS = keptFlag("IsAnonymousAccessible", false);
  private static final Property CREATED =
      shown("CreatedAt", shown -> Instants.text(shown.entry().createdAtMillis()));
  private static final Property UPDATED =
      shown("UpdatedAt", shown -> Instants.text(shown.entry().updatedAtMillis()));
  private static final Property ACCESSED =
      shown("AccessedAt", shown -> accessed(shown.counts().accessedAtMillis())).asMeasured();

  /** Of a subscription it is told when that is made, and never is what it was then. */
  private static final Property ACCESSED_BELOW =
      shown(
          "AccessedAt",
          shown -> accessed(shown.said() == null ? shown.counts().accessedAtMillis() : 0));

  private static final Property METADATA =
      new Property(
          "UserMetadata",
          Tables::metadata,
          Property.text(
              "UserMetadata", shown -> shown.definition().attributes().get("UserMetadata")));

  private static final Property ORDERING =
      new Property(
          "SupportOrdering",
          keptFlag("SupportOrdering", true).reading(),
          Property.text(
              "SupportOrdering",
              shown ->
                  shown.attribute(
                      "SupportOrdering", Boolean.toString(!shown.definition().partitioned()))));

  private static final Property COUNTS =
      new Property("CountDetails", null, Tables::counts).asMeasured();

  private static final Property AUTO_DELETE = PlainProperty.of(EntityProperties.AUTO_DELETE);

  private static final Property PARTITIONING = PlainProperty.of(EntityProperties.PARTITIONING);

  private static final Property STATUS = PlainProperty.of(EntityProperties.STATUS);

  private static final Property AVAILABILITY =
      shown("EntityAvailabilityStatus", shown -> "Available");

  private static final Property FORWARD_TO = PlainProperty.of(EntityProperties.FORWARD_TO);

  private static final Property FORWARD_DEAD_LETTERS_TO =
      PlainProperty.of(EntityProperties.FORWARD_DEAD_LETTERS_TO);

  /** It changes nothing: what is accepted is stored before, whatever it says. */
  private static final Property EXPRESS = keptFlag("EnableExpress", false);

  private static final Property PARTITIONED_SUBSCRIPTIONS =
      keptAndFixed(DefinitionForm.FIXED_ATTRIBUTE);

  private static final Property MAX_MESSAGE_SIZE =
      number(
              "MaxMessageSizeInKilobytes",
              new Range(
                  ProfileTerms::leastMessageKilobytes, terms -> terms.largestMessageBytes() >> 10),
              (draft, kilobytes) -> draft.builder().maxMessageBytes(kilobytes << 10),
              definition -> definition.maxMessageBytes() >> 10)
          .since(LARGE_MESSAGES);

  private static final Property FILTERING =
      flag(
          "FilteringMessagesBeforePublishing",
          DefinitionForm::filteringBeforePublishing,
          definition ->
              definition.role() instanceof QueueRole.Topic topic
                  && topic.filteringBeforePublishing());

  private static final Property SUBSCRIPTION_COUNT =
      shown("SubscriptionCount", shown -> Integer.toString(shown.subscriptions())).asMeasured();

  private static final Property SQL_FILTER_COUNT =
      shown("SqlFilterCount", shown -> Integer.toString(shown.counts().sqlFilters()))
          .since(FILTER_COUNTS)
          .asMeasured();

  private static final Property CORRELATION_FILTER_COUNT =
      shown(
              "CorrelationFilterCount",
              shown -> Integer.toString(shown.counts().correlationFilters()))
          .since(FILTER_COUNTS)
          .asMeasured();

  private static final Property DEAD_LETTERING_FILTER_ERRORS =
      flag(
          "DeadLetteringOnFilterEvaluationExceptions",
          DefinitionForm::deadLetteringOnFilterErrors,
          definition ->
              definition.role() instanceof QueueRole.Subscription subscription
                  && subscription.deadLetteringOnFilterErrors());

  private static final Property CLIENT_AFFINE =
      shown("IsClientAffine", shown -> "false").since(LARGE_MESSAGES);

  private static final List<Property> QUEUE =
      table(
          Kind.QUEUE,
          LOCK_DURATION,
          MAX_SIZE,
          REQUIRES_DUPLICATE_DETECTION,
          REQUIRES_SESSION,
          TIME_TO_LIVE,
          DEAD_LETTERING,
          DUPLICATE_WINDOW,
          MAX_DELIVERY_COUNT,
          BATCHED,
          SIZE,
          MESSAGE_COUNT,
          ANONYMOUS,
          AccessRules.PROPERTY,
          STATUS,
          FORWARD_TO,
          CREATED,
          UPDATED,
          ACCESSED,
          METADATA,
          ORDERING,
          COUNTS,
          AUTO_DELETE,
          PARTITIONING,
          AVAILABILITY,
          FORWARD_DEAD_LETTERS_TO,
          EXPRESS,
          MAX_MESSAGE_SIZE);

  private static final List<Property> TOPIC =
      table(
          Kind.TOPIC,
          TIME_TO_LIVE,
          MAX_SIZE,
          REQUIRES_DUPLICATE_DETECTION,
          DUPLICATE_WINDOW,
          BATCHED,
          SIZE,
          FILTERING,
          ANONYMOUS,
          AccessRules.PROPERTY,
          STATUS,
          CREATED,
          UPDATED,
          ACCESSED,
          METADATA,
          ORDERING,
          COUNTS,
          SUBSCRIPTION_COUNT,
          SQL_FILTER_COUNT,
          CORRELATION_FILTER_COUNT,
          AUTO_DELETE,
          PARTITIONING,
          AVAILABILITY,
          PARTITIONED_SUBSCRIPTIONS,
          EXPRESS,
          MAX_MESSAGE_SIZE);

  private static final List<Property> SUBSCRIPTION =
      table(
          Kind.SUBSCRIPTION,
          LOCK_DURATION,
          REQUIRES_SESSION,
          TIME_TO_LIVE,
          DEAD_LETTERING,
          DEAD_LETTERING_FILTER_ERRORS,
          MESSAGE_COUNT,
          MAX_DELIVERY_COUNT,
          BATCHED,
          STATUS,
          FORWARD_TO,
          CREATED,
          UPDATED,
          ACCESSED_BELOW,
          COUNTS,
          METADATA,
          FORWARD_DEAD_LETTERS_TO,
          AUTO_DELETE,
          AVAILABILITY,
          CLIENT_AFFINE);

  private Tables() {}

  /** The vendor's properties in the vendor's order, then what else such an entity has. */
  private static List<Property> table(Kind kind, Property... vendors) {
    var all = new ArrayList<>(List.of(vendors));
    for (var property : EntityProperties.ALL) {
      var isMissing = all.stream().noneMatch(each -> each.element().equals(property.name()));
      if (property.traits().kinds().contains(kind.entity())
          && !OTHERWISE.contains(property)
          && isMissing) {
        all.add(PlainProperty.of(property));
      }
    }
    return List.copyOf(all);
  }

  private static List<Property> of(Kind kind) {
    return switch (kind) {
      case QUEUE -> QUEUE;
      case TOPIC -> TOPIC;
      case SUBSCRIPTION -> SUBSCRIPTION;
    };
  }

  /**
   * Takes over what a description says; what it does not say stays as the draft has it.
   *
   * @throws io.peeklock.http.admin.atom.Problem when a value cannot be, or is of a property that
   *     the version of the API has not
   */
  public static void read(Kind kind, XmlNode description, DefinitionForm draft) {
    for (var property : of(kind)) {
      var reading = property.reading();
      var given = reading == null ? null : description.child(property.element());
      if (reading != null && given != null && !given.nil()) {
        if (!EntityView.isKnown(property, draft.version())) {
          throw unknown(kind, draft.version());
        }
        reading.into(draft, given);
      }
    }
  }

  private static Problem unknown(Kind kind, String version) {
    return Problem.bad(
        "The entity description of type '"
            + kind.element()
            + "' has unsupported properties for api-version '"
            + version
            + "' in the request. Try including the correct api-version query string in the request");
  }

  /** Writes the description of an entity. */
  public static void write(EntityView shown, AtomWriter out) {
    var kind = Kind.of(shown.definition());
    out.open(kind.element())
        .attribute("xmlns", XmlNamespaces.SERVICE_BUS)
        .attribute("xmlns:i", XmlNamespaces.INSTANCE);
    of(kind).stream()
        .filter(shown::shows)
        .forEach(property -> property.writing().write(shown, out));
    out.close();
  }

  /** About how many bytes an entity has when it is shown, with the entry around it. */
  public static int weight(Catalogue.Entry entry) {
    var definition = entry.definition();
    var weight = USUAL_BYTES + PATHS * definition.path().length();
    for (var attribute : definition.attributes().entrySet()) {
      var isRules = attribute.getKey().equals(AuthorizationRule.ATTRIBUTE);
      weight += (isRules ? RULES_GROW : 1) * attribute.getValue().length();
    }
    return weight;
  }

  /** Some clients always say the vendor's default: it means nothing where a profile has less. */
  private static boolean isUsualSize(DefinitionForm draft, String given) {
    return draft.terms().mostMegabytes() < USUAL_MEGABYTES
        && given.equals(Long.toString(USUAL_MEGABYTES));
  }

  /** Standard sells whole gigabytes. */
  private static void size(DefinitionForm draft, long megabytes) {
    if (draft.terms().tier() == ProfileTerms.Tier.STANDARD && megabytes % 1_024 != 0) {
      throw Property.wrong(
          "MaxSizeInMegabytes", Long.toString(megabytes), "must be a multiple of 1024");
    }
    draft.megabytes(megabytes);
  }

  private static boolean detectsDuplicates(QueueDefinition definition) {
    return definition.duplicateWindowMillis() != 0;
  }

  private static long window(QueueDefinition definition) {
    if (detectsDuplicates(definition)) {
      return definition.duplicateWindowMillis();
    }
    var kept = definition.attributes().get(DefinitionForm.WINDOW);
    return kept == null ? DEFAULT_WINDOW_MILLIS : Long.parseLong(kept);
  }

  private static Property keptAndFixed(String element) {
    return keptFlag(element, false)
        .fixed(definition -> definition.attributes().getOrDefault(element, "false"));
  }

  private static void metadata(DefinitionForm draft, XmlNode given) {
    var text = given.text();
    if (text.length() > LONGEST_METADATA) {
      throw Problem.bad(
          "The value of 'UserMetadata' must have at most " + LONGEST_METADATA + " characters");
    }
    if (!text.isEmpty()) {
      draft.attribute("UserMetadata", text);
    }
  }

  /** The one attribute declares the prefix, or a client does not find the counts. */
  private static void counts(EntityView shown, AtomWriter out) {
    var counts = shown.counts();
    out.open("CountDetails")
        .attribute("xmlns:d2p1", XmlNamespaces.COUNTS)
        .element("d2p1:ActiveMessageCount", clamped(counts.active()))
        .element("d2p1:DeadLetterMessageCount", clamped(counts.deadLetters()))
        .element("d2p1:ScheduledMessageCount", clamped(counts.scheduled()))
        .element("d2p1:TransferMessageCount", clamped(counts.transfers()))
        .element("d2p1:TransferDeadLetterMessageCount", clamped(counts.transferDeadLetters()))
        .close();
  }

  /** Clients read 32 bits. */
  private static String clamped(long count) {
    return Long.toString(Math.min(count, Integer.MAX_VALUE));
  }

  private static String accessed(long millis) {
    return millis == 0 ? Instants.NEVER : Instants.text(millis);
  }
}
