<?php
$ok = preg_match('/^open|shut$/', $state);
$ok = preg_match('/^(?:open|shut)$/', $state);
$ok = preg_match('open', $state);
