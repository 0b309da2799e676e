<?php
function receipt($name, $total) {
  $head = sprintf("%s paid %.2f", $name);
  $head = sprintf("%s paid %.2f", $name, $total);
  return $head . sprintf('%d rows');
}
