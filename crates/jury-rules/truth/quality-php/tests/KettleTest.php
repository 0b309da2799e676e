<?php
class KettleTest extends TestCase {
  public function testBoil() {
    $this->assertSame($kettle->heat, $kettle->heat);
    $this->assertSame(100, $kettle->heat);
    self::assertEquals($cup, $cup);
  }
}
