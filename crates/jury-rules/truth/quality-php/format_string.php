<?php
function greet($out) {
  $form = $_GET['form'];
  $line = sprintf($form, 'you');
  $line = sprintf('%s you', $form);
  fprintf($out, "hi " . $form, 1);
  return $line;
}
