package io.peeklock.http.admin.atom;

import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element that a client sent. Prefixes are resolved, comments and order do not matter.
 *
 * @param namespace empty for none
 * @param name without prefix
 * @param type of {@code xsi:type}, without prefix; null when it has none
 * @param typeNamespace what the prefix of the type means; empty when it has none or means nothing
 * @param nil whether {@code xsi:nil} says that it has no value
 * @param text directly in it, as it stands
 */
public record XmlNode(
    String namespace,
    String name,
    @Nullable String type,
    String typeNamespace,
    boolean nil,
    String text,
    List<XmlNode> children) {

  private static final int MAX_DEPTH = 32;
  private static final int MAX_ELEMENTS = 10_000;

  /** Takes a copy. */
  public XmlNode {
    children = List.copyOf(children);
  }

  /** One that is open. */
  private static final class Open {
    final String namespace;
    final String name;
    final @Nullable String type;
    final String typeNamespace;
    final boolean nil;
    final StringBuilder text = new StringBuilder();
    final List<XmlNode> children = new ArrayList<>();

    Open(XMLStreamReader at) {
      namespace = or(at.getNamespaceURI());
      name = at.getLocalName();
      var typed = at.getAttributeValue(XmlNamespaces.INSTANCE, "type");
      var colon = typed == null ? -1 : typed.indexOf(':');
      type = typed == null ? null : typed.substring(colon + 1).strip();
      typeNamespace =
          typed == null || colon < 0
              ? ""
              : or(at.getNamespaceURI(typed.substring(0, colon).strip()));
      nil = "true".equals(at.getAttributeValue(XmlNamespaces.INSTANCE, "nil"));
    }

    XmlNode build() {
      return new XmlNode(namespace, name, type, typeNamespace, nil, text.toString(), children);
    }
  }

  /**
   * Reads a document.
   *
   * @param in bounded by its caller
   * @throws Problem when it is not well-formed, has a document type, refers to an entity, or is
   *     nested or cut up too much
   */
  public static XmlNode read(InputStream in) {
    try {
      var reader = factory().createXMLStreamReader(XmlText.of(in));
      try {
        return read(reader);
      } finally {
        reader.close();
      }
    } catch (XMLStreamException malformed) {
      var at = malformed.getLocation(); // its own text may quote what was sent
      var place =
          at == null ? "" : " at line " + at.getLineNumber() + ", column " + at.getColumnNumber();
      throw Problem.bad("The body is not well-formed XML" + place);
    }
  }

  private static XMLInputFactory factory() {
    var factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    return factory;
  }

  private static XmlNode read(XMLStreamReader reader) throws XMLStreamException {
    var open = new ArrayDeque<Open>();
    var elements = 0;
    while (true) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          elements++;
          if (open.size() == MAX_DEPTH || elements > MAX_ELEMENTS) {
            throw Problem.bad(
                "The body is nested deeper than "
                    + MAX_DEPTH
                    + ", or has more than "
                    + MAX_ELEMENTS
                    + " elements");
          }
          open.push(new Open(reader));
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (!open.isEmpty()) {
            open.peek()
                .text
                .append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
          }
        }
        case XMLStreamConstants.END_ELEMENT -> {
          var done = open.pop().build();
          if (open.isEmpty()) {
            expectEnd(reader);
            return done;
          }
          open.peek().children.add(done);
        }
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
            throw Problem.bad("The body has a document type, or refers to an entity");
        default -> {} // comments and the like
      }
    }
  }

  /** What stands behind the document must be readable too. */
  private static void expectEnd(XMLStreamReader reader) throws XMLStreamException {
    while (reader.hasNext()) {
      reader.next();
    }
  }

  private static String or(@Nullable String namespace) {
    return namespace == null ? "" : namespace;
  }

  /** The first child of this name, whatever its namespace. */
  public @Nullable XmlNode child(String wanted) {
    for (var child : children) {
      if (child.name.equals(wanted)) {
        return child;
      }
    }
    return null;
  }

  /** The text without what is blank around it. */
  public String value() {
    return text.strip();
  }
}
