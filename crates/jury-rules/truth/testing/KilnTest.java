import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import org.junit.After;
import org.junit.Test;

class KilnTest {
  public void setUp() {
    heat();
  }

  @After
  public void tearDown() {
    cool();
  }

  public void testGlaze() {
    assertEquals("red", glaze());
  }

  @Test
  public void testDoor() {
    assertEquals("shut", door());
  }

  @Test
  public void refusesWetClay() {
    try {
      fire("wet");
      fail("it was taken");
    } catch (Throwable steam) {
    }
  }

  @Test
  public void refusesDampClay() {
    try {
      fire("damp");
      fail("it was taken");
    } catch (SteamException steam) {
      assertEquals("WET", steam.code());
    }
  }
}
