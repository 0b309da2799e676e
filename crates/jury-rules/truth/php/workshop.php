<?php
use Illuminate\Validation\Rule;

function same($entered, $row) {
    return sha1($entered) == $row["mark"];
}

function surely_same($entered, $row) {
    return hash_equals($row["mark"], sha1($entered));
}

function drawer() {
    $_SESSION[$_POST["drawer"]] = 1;
}

function one_drawer() {
    $_SESSION["drawer"] = $_POST["drawer"];
}

function upload() {
    return ftp_connect("bench.example.com", 21);
}

function upload_hidden() {
    return ftp_ssl_connect("bench.example.com", 21);
}

function known($directory, $name) {
    return ldap_bind($directory, $name, "");
}

function proven($directory, $name, $password) {
    return ldap_bind($directory, $name, $password);
}

function digest() {
    return sha1_file($_GET["plan"]);
}

function digest_here() {
    return sha1_file(basename($_GET["plan"]));
}

class Bench extends Model {
    protected $guarded = [];
}

class Stool extends Model {
    protected $guarded = ["owner"];
}

function back() {
    header("Location: https://bench.example.com" . $_GET["page"]);
}

function back_here() {
    header("Location: https://bench.example.com" . $_SERVER["REQUEST_URI"]);
}
