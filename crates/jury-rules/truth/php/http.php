<?php

function leave()
{
    header('Location: ' . $_GET['to']);
    exit;
}

function leaveLocal()
{
    header('Location: /account?msg=' . urlencode($_GET['msg']));
    exit;
}

function leaveKnown()
{
    $targets = ['home' => '/', 'help' => '/help'];
    $to = $targets[$_GET['to']] ?? '/';
    header("Location: $to");
}

function language()
{
    header('X-Language: ' . $_GET['lang']);
    header('X-Language: ' . urlencode($_GET['lang']));
}

function remember(string $id)
{
    setcookie('session', $id, time() + 3600, '/');
}

function rememberSafe(string $id)
{
    setcookie('session', $id, ['expires' => time() + 3600, 'secure' => true, 'httponly' => true, 'samesite' => 'Lax']);
}

function rememberVisible(string $id)
{
    setcookie('session', $id, 0, '/', '', true, false);
}

function rememberHidden(string $id)
{
    setcookie('session', $id, 0, '/', '', true, true);
}

function find($ldap)
{
    $filter = '(uid=' . $_POST['uid'] . ')';
    return ldap_search($ldap, 'dc=example,dc=com', $filter);
}

function findSafe($ldap)
{
    $filter = '(uid=' . ldap_escape($_POST['uid'], '', LDAP_ESCAPE_FILTER) . ')';
    return ldap_search($ldap, 'dc=example,dc=com', $filter);
}

function node(DOMXPath $xpath)
{
    return $xpath->query("//user[@name='" . $_GET['name'] . "']");
}

function nodeSafe(DOMXPath $xpath)
{
    return $xpath->query('//user[@id=' . intval($_GET['id']) . ']');
}

function parse(string $xml)
{
    $doc = new DOMDocument();
    $doc->loadXML($xml, LIBXML_NOENT | LIBXML_DTDLOAD);
    return $doc;
}

function parseSafe(string $xml)
{
    $doc = new DOMDocument();
    $doc->loadXML($xml, LIBXML_NONET);
    return $doc;
}

function entities()
{
    libxml_disable_entity_loader(false);
    return simplexml_load_string(file_get_contents('php://input'));
}

function api()
{
    header('Access-Control-Allow-Origin: ' . $_SERVER['HTTP_ORIGIN']);
    header('Access-Control-Allow-Credentials: true');
}

function apiSafe()
{
    header('Access-Control-Allow-Origin: https://app.example.com');
}

function info()
{
    phpinfo();
}

function version()
{
    return phpversion();
}

function errors()
{
    ini_set('display_errors', '1');
    ini_set('display_errors', '0');
}

function rights(string $file)
{
    chmod($file, 0777);
    chmod($file, 0640);
}

function notify()
{
    mail('ops@example.com', 'Contact', $_POST['text'], 'From: ' . $_POST['from']);
    mail('ops@example.com', 'Contact', $_POST['text'], 'From: robot@example.com');
}
