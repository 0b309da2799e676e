<?php
class OrderTest extends TestCase
{
    public function testTotal()
    {
        try {
            $this->assertSame(4, total());
        } catch (Exception $ignored) {
        }
        $this->assertSame(total(), 5);
        $sum = total();
        $this->assertEquals($sum, 5);
        $this->assertEquals(5, $sum);
    }
}
