<?php
function climb($ladder) {
  foreach ($ladder as $step) {
    break;
    $step->fix();
  }
  foreach ($ladder as $step) {
    $step->fix();
    break;
  }
  return $ladder;
  $ladder->fold();
}
