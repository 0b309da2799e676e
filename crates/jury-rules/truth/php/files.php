<?php

function show()
{
    $page = $_GET['page'];
    include 'pages/' . $page . '.php';
}

function showKnown()
{
    $pages = ['home' => 'home.php', 'about' => 'about.php'];
    $page = $pages[$_GET['page']] ?? 'home.php';
    include 'pages/' . $page;
}

function bootstrap()
{
    require_once __DIR__ . '/vendor/autoload.php';
    require_once($_REQUEST['module']);
}

function download()
{
    $file = '/var/reports/' . $_GET['file'];
    header('Content-Type: application/pdf');
    readfile($file);
}

function downloadSafe()
{
    $file = '/var/reports/' . basename($_GET['file']);
    header('Content-Type: application/pdf');
    readfile($file);
}

function drop(): void
{
    @unlink("uploads/{$_POST['name']}");
}

function read()
{
    $path = realpath('/srv/docs/' . $_GET['doc']);
    if ($path === false || strpos($path, '/srv/docs/') !== 0) {
        http_response_code(404);
        exit;
    }
    return file_get_contents($path);
}

function save()
{
    $target = 'uploads/' . $_FILES['avatar']['name'];
    move_uploaded_file($_FILES['avatar']['tmp_name'], $target);
}

function saveSafe()
{
    $target = 'uploads/' . bin2hex(random_bytes(16)) . '.png';
    move_uploaded_file($_FILES['avatar']['tmp_name'], $target);
}

function unpackInto(string $dir)
{
    $zip = new ZipArchive();
    $zip->open($_FILES['bundle']['tmp_name']);
    for ($i = 0; $i < $zip->numFiles; $i++) {
        $name = $zip->getNameIndex($i);
        file_put_contents($dir . '/' . $name, $zip->getFromIndex($i));
    }
}

function unpackFlat(string $dir)
{
    $zip = new ZipArchive();
    $zip->open('bundle.zip');
    for ($i = 0; $i < $zip->numFiles; $i++) {
        $name = basename($zip->getNameIndex($i));
        file_put_contents($dir . '/' . $name, $zip->getFromIndex($i));
    }
}

function fetch()
{
    echo file_get_contents($_GET['url']);
    $feed = file_get_contents('https://news.example.com/feed.xml?lang=' . urlencode($_GET['lang']));
    return $feed;
}

function preview()
{
    $ch = curl_init();
    curl_setopt($ch, CURLOPT_URL, $_POST['target']);
    curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
    return curl_exec($ch);
}

function status()
{
    $ch = curl_init('https://status.example.com/');
    return curl_exec($ch);
}
