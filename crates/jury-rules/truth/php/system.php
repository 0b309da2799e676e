<?php

namespace App\Tools;

function resolve(): string
{
    $host = $_GET['host'];
    return shell_exec('nslookup ' . $host);
}

function resolveQuoted(): string
{
    $host = escapeshellarg($_GET['host']);
    return shell_exec('nslookup ' . $host);
}

function convert(string $in, string $out): void
{
    exec("convert $in -resize 50% $out", $lines, $code);
}

function uptime(): string
{
    return `uptime | cut -d, -f1`;
}

function tail(): void
{
    $file = $_POST['log'];
    echo `tail -n 50 /var/log/$file`;
}

function lines(): void
{
    $n = (int) $_POST['n'];
    passthru("tail -n $n /var/log/app.log");
}

function calculate()
{
    $formula = $_POST['formula'];
    return eval('return ' . $formula . ';');
}

function calculateFixed()
{
    return eval('return 1 + 2;');
}

function callback()
{
    $action = $_GET['action'];
    return call_user_func($action, $_GET['arg']);
}

function callbackKnown()
{
    $actions = ['up' => 'strtoupper', 'down' => 'strtolower'];
    $action = $_GET['action'];
    if (!isset($actions[$action])) {
        return null;
    }
    return call_user_func($actions[$action], $_GET['arg']);
}

function template($text)
{
    return preg_replace('/\{(\w+)\}/e', 'lookup("$1")', $text);
}

function templateSafe($text)
{
    return preg_replace('/\{(\w+)\}/', '[$1]', $text);
}

function cart()
{
    return unserialize($_COOKIE['cart']);
}

function cartSafe()
{
    return unserialize($_COOKIE['cart'], ['allowed_classes' => false]);
}

function settings()
{
    extract($_POST);
    return $debug ?? false;
}

function view(array $data)
{
    extract($data, EXTR_SKIP);
    return $title ?? '';
}

function make()
{
    $class = $_GET['type'];
    return new $class($_GET['id']);
}

function makeKnown(string $kind)
{
    $class = $kind === 'pdf' ? PdfReport::class : CsvReport::class;
    return new $class();
}
