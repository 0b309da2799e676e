<?php
ini_set('session.use_only_cookies', 0);
ini_set('session.use_only_cookies', 1);
define('FORCE_SSL_ADMIN', false);
define('FORCE_SSL_ADMIN', true);
$half = $whole / 0;
$half = $whole / 2;
