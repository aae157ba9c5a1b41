package io.peeklock.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** HTTP to a broker of this machine, as bytes: what no decent client would send can be sent. */
public final class PlainHttp {
  private static final int PATIENCE_MILLIS = 60_000;

  private PlainHttp() {}

  /**
   * Asks on a connection of its own.
   *
   * @param headers each with its line end; those of host, connection and body are there already
   * @return all that was answered
   */
  public static String ask(int port, String method, String path, String headers, String body)
      throws IOException {
    return raw(
        port,
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + (body.isEmpty() ? "\r\n" : "\r\nContent-Type: application/xml\r\n")
            + headers
            + "\r\n"
            + body);
  }

  /** Sends these characters of ISO 8859-1, and returns all that was answered. */
  public static String raw(int port, String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      } catch (SocketException refusedWhileWeStillSent) {
        if (!socket.isConnected()) {
          throw refusedWhileWeStillSent;
        }
      }
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** A queue for the administration API, with a policy of it. */
  public static String guardedQueue(String policy, String primary, String secondary, String right) {
    return queue(
        "<AuthorizationRules><AuthorizationRule"
            + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
            + " i:type=\"SharedAccessAuthorizationRule\"><Rights><AccessRights>"
            + right
            + "</AccessRights></Rights><KeyName>"
            + policy
            + "</KeyName><PrimaryKey>"
            + primary
            + "</PrimaryKey><SecondaryKey>"
            + secondary
            + "</SecondaryKey></AuthorizationRule></AuthorizationRules>");
  }

  /** A queue with these elements for the administration API. */
  public static String queue(String elements) {
    return "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content><QueueDescription xmlns="
        + "\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
        + elements
        + "</QueueDescription></content></entry>";
  }
}
