package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Limits on connections, at the limit and one above. */
class AdmissionTest {
  private final InetAddress here = address(1);
  private final InetAddress there = address(2);
  private final InetAddress elsewhere = address(3);

  @Test
  void theTotalIsKeptAndAPlaceIsFreeAgainWhenSomebodyLeaves() {
    var admission = new Admission(new ConnectionLimits(2, 2, 2, 1));
    var first = new EmbeddedChannel();
    admission.enter(first, here);
    admission.enter(new EmbeddedChannel(), there);

    var third = admission.enter(new EmbeddedChannel(), elsewhere);
    admission.leave(first, here);
    var fourth = admission.enter(new EmbeddedChannel(), elsewhere);

    assertThat(third).contains("2 connections already");
    assertThat(fourth).isNull();
  }

  @Test
  void oneAddressCannotTakeEveryPlace() {
    var admission = new Admission(new ConnectionLimits(5, 1, 5, 1));
    admission.enter(new EmbeddedChannel(), here);

    var again = admission.enter(new EmbeddedChannel(), here);
    var other = admission.enter(new EmbeddedChannel(), there);

    assertThat(again).contains("from its address");
    assertThat(other).isNull();
  }

  @Test
  void strangersAreFewAndStopBeingStrangersOnceRecognised() {
    var admission = new Admission(new ConnectionLimits(5, 5, 1, 1));
    var first = new EmbeddedChannel();
    admission.enter(first, here);

    var second = admission.enter(new EmbeddedChannel(), there);
    admission.recognise(first);
    var third = admission.enter(new EmbeddedChannel(), there);

    assertThat(second).contains("without a login");
    assertThat(third).isNull();
  }

  @Test
  void leavingTwiceOrWithoutHavingEnteredCountsNothing() {
    var admission = new Admission(new ConnectionLimits(1, 1, 1, 1));
    var first = new EmbeddedChannel();
    admission.enter(first, here);

    admission.leave(new EmbeddedChannel(), here);
    var full = admission.enter(new EmbeddedChannel(), there);
    admission.leave(first, here);
    admission.leave(first, here);

    assertThat(full).isNotNull();
    assertThat(admission.enter(new EmbeddedChannel(), here)).isNull();
    assertThat(admission.enter(new EmbeddedChannel(), here)).isNotNull();
  }

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
