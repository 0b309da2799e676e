<?php
function route($parcel, $other) {
  if ($parcel->size = "small") {
    return 1;
  }
  if ($parcel->size == "small") {
    return 1;
  }
  if ($parcel->weight > $parcel->weight) {
    return 2;
  }
  if ($parcel->weight > $other->weight) {
    return 2;
  }
  return isset($parcel['a'] || $parcel['b']);
}
