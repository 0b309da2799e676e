<?php

function ships() {
    $job = proc_open(["wc", "-l", $_GET["ship"]], $ends, $pipes);
    return proc_open("wc -l " . $_GET["ship"], $ends, $pipes);
}

function berth() {
    $_SESSION["berth_" . $_POST["berth"]] = 1;
    trigger_error("no such berth: " . $_GET["berth"]);
}

function open_to($filename) {
    header("Access-Control-Allow-Origin: *.harbour.example");
    return sha1($filename);
}
