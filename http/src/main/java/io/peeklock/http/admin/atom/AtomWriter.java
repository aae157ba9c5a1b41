package io.peeklock.http.admin.atom;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes one document. What XML cannot hold becomes U+FFFD. */
public final class AtomWriter {
  private final StringWriter out = new StringWriter();
  private final XMLStreamWriter xml;

  private interface Step {
    void go() throws XMLStreamException;
  }

  /** Begins an empty document. */
  public AtomWriter() {
    try {
      xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
    } catch (XMLStreamException impossible) {
      throw new IllegalStateException("a text in memory can be written", impossible);
    }
  }

  private AtomWriter step(Step step) {
    try {
      step.go();
      return this;
    } catch (XMLStreamException impossible) {
      throw new IllegalStateException("a text in memory can be written", impossible);
    }
  }

  /** Begins an element; a prefix is part of the name. */
  public AtomWriter open(String name) {
    return step(() -> xml.writeStartElement(name));
  }

  /** Adds an attribute to what was opened last, also the declaration of a namespace. */
  public AtomWriter attribute(String name, String value) {
    return step(() -> xml.writeAttribute(name, legal(value)));
  }

  /** Adds text. */
  public AtomWriter text(String text) {
    return step(() -> xml.writeCharacters(legal(text)));
  }

  /** Ends what was opened last. */
  public AtomWriter close() {
    return step(xml::writeEndElement);
  }

  /** A whole element without attributes. */
  public AtomWriter element(String name, String text) {
    return open(name).text(text).close();
  }

  /** How long that would be, but for what is still in a buffer. */
  public int characters() {
    return out.getBuffer().length();
  }

  /** The document, or what was written of it since this was asked last. */
  public byte[] bytes() {
    step(xml::flush);
    var text = out.toString();
    out.getBuffer().setLength(0);
    out.getBuffer().trimToSize(); // it may be long before more is written
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String legal(String text) {
    for (var i = 0; i < text.length(); ) {
      var c = text.codePointAt(i);
      if (!isLegal(c)) {
        return replaced(text);
      }
      i += Character.charCount(c);
    }
    return text;
  }

  private static boolean isLegal(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= ' ' && c < Character.MIN_SURROGATE)
        || (c > Character.MAX_SURROGATE && c < 0xfffe)
        || c > 0xffff;
  }

  private static String replaced(String text) {
    var legal = new StringBuilder(text.length());
    text.codePoints().forEach(c -> legal.appendCodePoint(isLegal(c) ? c : 0xfffd));
    return legal.toString();
  }
}
