<?php
$menu = ['tea' => 1, 'cake' => 2, 'tea' => 3];
$card = ['tea' => 1, 'cake' => 2, 'milk' => 3];
try {
  pour();
} catch (Exception | SpiltException $e) {
  wipe();
}
try {
  pour();
} catch (HotException | SpiltException $e) {
  wipe();
}
