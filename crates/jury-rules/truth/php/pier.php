<?php

function enter() {
    check($_GET['password']);
    check($_POST['password']);
}

function ours($host) {
    return str_ends_with($host, 'pier.org');
}

function oursOnly($host) {
    return str_ends_with($host, '.pier.org');
}

function everything() {
    foreach ($_REQUEST as $name => $given) {
        $$name = $given;
    }
    foreach (settings() as $name => $given) {
        $$name = $given;
    }
}

function take() {
    if ($_FILES['pic']['type'] === 'image/png') {
        keep();
    }
    if ($_FILES['pic']['error'] === UPLOAD_ERR_OK) {
        keep();
    }
}

function open($text, $key, $iv) {
    $plain = openssl_decrypt($text, 'aes-256-gcm', $key, 0, $iv);
    keep($plain);
}

function openChecked($text, $key, $iv) {
    $plain = openssl_decrypt($text, 'aes-256-gcm', $key, 0, $iv);
    if ($plain === false) {
        throw new RuntimeException('no');
    }
    keep($plain);
}
