<?php
function seal($letter, $key) {
  openssl_public_encrypt($letter, $sealed, $key, OPENSSL_NO_PADDING);
  openssl_public_encrypt($letter, $sealed, $key, OPENSSL_PKCS1_OAEP_PADDING);
  openssl_private_decrypt($sealed, $letter, $key);
}
