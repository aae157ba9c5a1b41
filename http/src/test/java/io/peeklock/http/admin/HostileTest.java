package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.runtime.access.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body must not be. */
class HostileTest {
  private static final String QUEUE = "QueueDescription";
  private final AdminFixture admin = new AdminFixture();

  private AdminFixture.Answer put(String body) {
    return admin.send("PUT", "/q", admin.rootToken(), "", body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE e [<!ENTITY a \"Canary7Qx\"><!ENTITY b \"&a;&a;&a;\">]><entry>&b;</entry>",
        "<!DOCTYPE e SYSTEM \"file:///etc/passwd\"><entry/>",
        "<!DOCTYPE e [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><entry>&x;</entry>",
        "<entry>&unknown;</entry>",
        "<entry>",
        "<entry></entry>Canary7Qx",
        "<entry><a></b></entry>",
        "<x:entry/>",
        "Canary7Qx",
        "{\"Canary7Qx\":1}",
        "<entry/>",
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content/></entry>",
        "<entry><content><Canary7Qx/></content></entry>",
        "\u0000",
      })
  void whatIsNoDescriptionIsRefused(String body) {
    var refused = put(body);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("SubCode=40000. ").doesNotContain("Canary7Qx", "root:");
    assertThat(admin.shard.catalogue().queues()).isEmpty();
  }

  @Test
  void aDocumentTypeIsRefusedEvenWhereNothingRefersToIt() {
    var good = AdminFixture.entry(QUEUE, "");

    assertThat(put("<!DOCTYPE entry>" + good).status()).isEqualTo(400);
    assertThat(put(good).status()).isEqualTo(201);
  }

  @Test
  void nestingAndNumberHaveLimits() {
    var deep = "<a>".repeat(33) + "</a>".repeat(33);
    var wide = "<a>" + "<b/>".repeat(10_000) + "</a>";

    assertThat(put(deep).body()).contains("nested deeper than 32");
    assertThat(put(wide).body()).contains("more than 10000 elements");
    assertThat(put(AdminFixture.entry(QUEUE, "<b/>".repeat(5_000))).status()).isEqualTo(201);
  }

  @Test
  void aBodyHasALimitAndAType() {
    var large = AdminFixture.entry(QUEUE, " ".repeat(256 << 10));
    assertThat(put(large).status()).isEqualTo(413);
    var json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
    assertThat(
            admin
                .raw(
                    "PUT /q HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                        + admin.rootToken()
                        + "\r\n"
                        + json
                        + "\r\n{}")
                .status())
        .isEqualTo(415);
  }

  @Test
  void aPathThatTriesToEscapeOrIsNoneIsRefused() {
    assertThat(admin.get("/../etc").status()).isEqualTo(400);
    assertThat(admin.get("/%2e%2e/etc").status()).isEqualTo(400);
    assertThat(admin.get("/a%5C..%5Cb").status()).isEqualTo(400);
    assertThat(admin.get("/a%00b").status()).isEqualTo(400);
    assertThat(admin.get("/" + "a/".repeat(3_000)).status()).isEqualTo(200);
    assertThat(admin.send("PATCH", "/q", admin.rootToken(), "", "").status()).isEqualTo(405);
    assertThat(admin.delete("/$Resources/Queues").status()).isEqualTo(405);
    assertThat(admin.get("/q/messages/head").status()).as("for messages").isEqualTo(404);
  }

  /** As .NET writes it: no declaration, indented, prefixes of its own, what it does not know. */
  @Test
  void theFormOfDotNetIsUnderstoodByteByByte() {
    var body =
        """
        <entry xmlns="http://www.w3.org/2005/Atom">
          <content type="application/xml">
            <QueueDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">
              <LockDuration>PT30S</LockDuration>
              <MaxSizeInMegabytes>1024</MaxSizeInMegabytes>
              <RequiresDuplicateDetection>true</RequiresDuplicateDetection>
              <RequiresSession>false</RequiresSession>
              <DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>
              <DuplicateDetectionHistoryTimeWindow>PT1M</DuplicateDetectionHistoryTimeWindow>
              <MaxDeliveryCount>10</MaxDeliveryCount>
              <EnableBatchedOperations>true</EnableBatchedOperations>
              <IsAnonymousAccessible>false</IsAnonymousAccessible>
              <AuthorizationRules>
                <AuthorizationRule p4:type="SharedAccessAuthorizationRule" xmlns:p4="http://www.w3.org/2001/XMLSchema-instance">
                  <ClaimType>SharedAccessKey</ClaimType>
                  <ClaimValue>None</ClaimValue>
                  <Rights>
                    <AccessRights>Send</AccessRights>
                  </Rights>
                  <KeyName>sender</KeyName>
                  <PrimaryKey>one</PrimaryKey>
                  <SecondaryKey>two</SecondaryKey>
                </AuthorizationRule>
              </AuthorizationRules>
              <Status>Active</Status>
              <EnablePartitioning>false</EnablePartitioning>
              <EnableExpress>false</EnableExpress>
              <SizeInBytes>12</SizeInBytes>
              <SomethingNew>yes</SomethingNew>
            </QueueDescription>
          </content>
        </entry>""";
    // Its audience is https whatever the connection is, and without the port.
    var token = admin.token("https://localhost/", Policy.ROOT_NAME, AdminFixture.KEY, 60);
    var request =
        "PUT /q?api-version=2021-05 HTTP/1.1\r\n"
            + "Host: localhost:5300\r\n"
            + "Authorization: "
            + token
            + "\r\nAccept: */*\r\nContent-Type: application/atom+xml\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;

    var made = admin.raw(request);
    var updated = admin.raw(request.replace("Accept: */*", "If-Match: *"));

    assertThat(made.status()).isEqualTo(201);
    assertThat(updated.status()).isEqualTo(200);
    assertThat(made.of("LockDuration")).isEqualTo("PT30S");
    assertThat(made.of("RequiresDuplicateDetection")).isEqualTo("true");
    assertThat(made.of("DuplicateDetectionHistoryTimeWindow")).isEqualTo("PT1M");
    assertThat(made.body())
        .contains("<PrimaryKey>one</PrimaryKey><SecondaryKey>two</SecondaryKey>")
        .doesNotContain("SomethingNew");
    assertThat(made.of("SizeInBytes")).isEqualTo("0");
    assertThat(admin.get("/q?api-version=2021-05&enrich=True").status()).isEqualTo(200);
  }

  /** As Python writes it: the atom namespace under a prefix, the vendor's as the default. */
  @Test
  void theFormOfPythonIsUnderstoodToo() {
    var made =
        put(
            "<?xml version='1.0' encoding='utf-8'?>\n<ns0:entry"
                + " xmlns:ns0=\"http://www.w3.org/2005/Atom\""
                + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
                + "<ns0:content type=\"application/xml\"><QueueDescription /></ns0:content>"
                + "</ns0:entry>");

    assertThat(made.status()).isEqualTo(201);
  }
}
