package io.peeklock.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The element in an entry of the administration API that describes something. */
final class Description {
  static final String ATOM = "http://www.w3.org/2005/Atom";
  private static final String SERVICE_BUS =
      "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
  private static final String INSTANCE = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  /** Parts that are whole numbers. */
  private static final Pattern NUMBERS =
      Pattern.compile(".*(Count|InMegabytes|InKilobytes|InBytes)");

  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

  /** Parts that hold what people write, which may be "true". */
  private static final Set<String> TEXTS =
      Set.of(
          "UserMetadata",
          "ForwardTo",
          "ForwardDeadLetteredMessagesTo",
          "SqlExpression",
          "Name",
          "CorrelationId",
          "MessageId",
          "To",
          "ReplyTo",
          "Label",
          "SessionId",
          "ReplyToSessionId",
          "ContentType");

  private final String title;
  private final Element element;

  private Description(String title, Element element) {
    this.title = title;
    this.element = element;
  }

  /** One without anything in it. */
  static Description empty(Noun noun) {
    var document = newDocument();
    var entry = document.createElementNS(ATOM, "entry");
    var content = document.createElementNS(ATOM, "content");
    content.setAttribute("type", "application/xml");
    var element = document.createElementNS(SERVICE_BUS, noun.element());
    document.appendChild(entry).appendChild(content).appendChild(element);
    return new Description("", element);
  }

  /**
   * All that a document of the API describes.
   *
   * @throws IOException when it is none
   */
  static List<Description> read(byte[] document) throws IOException {
    var found = new ArrayList<Description>();
    for (var entry : elements(parse(document), ATOM, "entry")) {
      var title = elements(entry, ATOM, "title");
      for (var content : elements(entry, ATOM, "content")) {
        for (var child : children(content)) {
          found.add(
              new Description(title.isEmpty() ? "" : title.getFirst().getTextContent(), child));
        }
      }
    }
    return found;
  }

  /** The sentence in an error; null when it is none. */
  static @Nullable String error(byte[] document) {
    try {
      var details = parse(document).getElementsByTagName("Detail");
      return details.getLength() == 0 ? null : details.item(0).getTextContent();
    } catch (IOException notXml) {
      return null;
    }
  }

  private static Document newDocument() {
    try {
      return factory().newDocumentBuilder().newDocument();
    } catch (ParserConfigurationException impossible) {
      throw new IllegalStateException("every JDK reads XML", impossible);
    }
  }

  private static DocumentBuilderFactory factory() throws ParserConfigurationException {
    var factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setNamespaceAware(true);
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory;
  }

  private static Document parse(byte[] document) throws IOException {
    try {
      var builder = factory().newDocumentBuilder();
      builder.setErrorHandler(null); // or it would print
      return builder.parse(new ByteArrayInputStream(document));
    } catch (ParserConfigurationException impossible) {
      throw new IllegalStateException("every JDK reads XML", impossible);
    } catch (SAXException malformed) {
      throw new IOException("the answer is not XML", malformed);
    }
  }

  private static List<Element> elements(Node in, String namespace, String name) {
    var list =
        in instanceof Document document
            ? document.getElementsByTagNameNS(namespace, name)
            : ((Element) in).getElementsByTagNameNS(namespace, name);
    var found = new ArrayList<Element>();
    for (var i = 0; i < list.getLength(); i++) {
      found.add((Element) list.item(i));
    }
    return found;
  }

  private static List<Element> children(Element of) {
    var found = new ArrayList<Element>();
    for (var child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        found.add(element);
      }
    }
    return found;
  }

  /** The name of what is described. */
  String title() {
    return title;
  }

  /** The text of a part; empty when there is none. Parts below others are found too. */
  String text(String name) {
    var found = element.getElementsByTagNameNS("*", name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent();
  }

  /** Sets a part, or takes it away where the text is empty. */
  void set(String name, String text) {
    for (var child : children(element)) {
      if (child.getLocalName().equals(name)) {
        element.removeChild(child);
      }
    }
    if (!text.isEmpty()) {
      add(name).setTextContent(text);
    }
  }

  /** Sets a part that has a type, and parts of its own. */
  void set(String name, String type, Map<String, String> parts) {
    set(name, "");
    var made = add(name);
    made.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:i", INSTANCE);
    made.setAttributeNS(INSTANCE, "i:type", type);
    parts.forEach(
        (part, text) ->
            made.appendChild(element.getOwnerDocument().createElementNS(SERVICE_BUS, part))
                .setTextContent(text));
  }

  private Element add(String name) {
    var made = element.getOwnerDocument().createElementNS(SERVICE_BUS, name);
    element.appendChild(made);
    return made;
  }

  /** The type of a part, such as {@code SqlFilter}; empty when it has none. */
  String type(String name) {
    for (var child : children(element)) {
      if (child.getLocalName().equals(name)) {
        return child.getAttributeNS(INSTANCE, "type");
      }
    }
    return "";
  }

  /** All of it by name, in its order, without keys. */
  Map<String, @Nullable Object> fields() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    if (!title.isEmpty()) {
      fields.put("Name", title);
    }
    children(element).forEach(child -> fields.put(child.getLocalName(), value(child)));
    return fields;
  }

  private static Object value(Element of) {
    var parts = children(of);
    if (of.getLocalName().equals("AuthorizationRules")) {
      return parts.stream().map(Description::accessRule).toList();
    }
    if (parts.isEmpty() && !of.hasAttributeNS(INSTANCE, "type")) {
      return typed(of.getLocalName(), of.getTextContent());
    }
    if (of.getLocalName().equals("Properties") || of.getLocalName().equals("Parameters")) {
      var pairs = new LinkedHashMap<String, Object>();
      parts.forEach(pair -> pairs.put(part(pair, "Key"), part(pair, "Value")));
      return pairs;
    }
    var fields = new LinkedHashMap<String, Object>();
    if (of.hasAttributeNS(INSTANCE, "type")) {
      fields.put("type", of.getAttributeNS(INSTANCE, "type"));
    }
    parts.forEach(part -> fields.put(part.getLocalName(), value(part)));
    return fields;
  }

  /** A number or truth where the name of the part says that it is one; the API knows texts only. */
  private static Object typed(String name, String text) {
    if (NUMBERS.matcher(name).matches() && WHOLE.matcher(text).matches()) {
      return Long.valueOf(text);
    }
    var isTruth = text.equals("true") || text.equals("false");
    return isTruth && !TEXTS.contains(name) ? (Object) text.equals("true") : text;
  }

  private static String part(Element of, String name) {
    var found = of.getElementsByTagNameNS("*", name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent();
  }

  /** Its name and its rights; who wants the keys asks with a client. */
  private static String accessRule(Element rule) {
    var rights = rule.getElementsByTagNameNS("*", "AccessRights");
    var names = new ArrayList<String>();
    for (var i = 0; i < rights.getLength(); i++) {
      names.add(rights.item(i).getTextContent());
    }
    return part(rule, "KeyName") + " (" + String.join(", ", names) + ")";
  }

  /** The entry to send. */
  String entry() {
    try {
      var text = new StringWriter();
      var transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      var alone = newDocument();
      var entry = alone.createElementNS(ATOM, "entry");
      var content = alone.createElementNS(ATOM, "content");
      content.setAttribute("type", "application/xml");
      alone.appendChild(entry).appendChild(content).appendChild(alone.importNode(element, true));
      transformer.transform(new DOMSource(alone), new StreamResult(text));
      return text.toString();
    } catch (TransformerException impossible) {
      throw new IllegalStateException("a document in memory can be written", impossible);
    }
  }
}
