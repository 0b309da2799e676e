<?php
function sort_mail($letters) {
  foreach ($letters as $letter) {
    switch ($letter->kind) {
      case 'ad':
        continue;
      case 'bill':
        continue 2;
    }
    keep($letter);
  }
}
