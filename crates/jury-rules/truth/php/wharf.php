<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;
use Symfony\Component\Process\Process;
use Doctrine\DBAL\Connection;

class WharfController
{
    public function find(Request $request, Connection $dbal)
    {
        $order = $request->input('order');
        DB::select("SELECT * FROM ships ORDER BY $order");
        DB::select('SELECT * FROM ships WHERE owner = ?', [$order]);
        DB::table('ships')->whereRaw("owner = '$order'")->get();
        DB::table('ships')->where('owner', $order)->get();
        $dbal->executeQuery("SELECT * FROM ships WHERE owner = '" . $order . "'");
        $dbal->executeQuery('SELECT * FROM ships WHERE owner = ?', [$order]);
        Http::get($request->query('feed'));
        Http::get('https://api.wharf.example/ships', ['q' => $request->query('q')]);
        Process::fromShellCommandline('ls ' . $request->query('dir'));
        new Process(['ls', '--', $request->query('dir')]);
        $request->file('doc')->move('/srv/docs', $request->file('doc')->getClientOriginalName());
        return redirect($request->input('to'));
    }
}

function legacy(PDO $pdo, $conn)
{
    $pdo->exec("DELETE FROM ships WHERE id = " . $_POST['id']);
    $pdo->exec('DELETE FROM ships WHERE id = ' . (int) $_POST['id']);
    $safe = mysqli_real_escape_string($conn, $_POST['id']);
    mysqli_query($conn, "SELECT * FROM ships WHERE id = '$safe'");
    $sql = sprintf("SELECT * FROM ships WHERE name = '%s'", $_GET['name']);
    $pdo->query($sql);
    passthru($_GET['cmd']);
    shell_exec('convert ' . $_FILES['pic']['name']);
    move_uploaded_file($_FILES['pic']['tmp_name'], '/srv/' . $_FILES['pic']['name']);
    setcookie('sid', session_id());
    setcookie('sid', session_id(), ['secure' => true, 'httponly' => true, 'samesite' => 'Lax']);
    assert($_GET['test']);
    $_GET['callback']($_GET['arg']);
    unlink('/srv/' . $_GET['f']);
    require_once('/srv/parts/' . $_GET['part'] . '.php');
    require_once('/srv/parts/top.php');
    simplexml_load_string($_POST['xml'], 'SimpleXMLElement', LIBXML_NOENT);
    simplexml_load_string($_POST['xml']);
    error_log('asked ' . $_GET['q']);
    header('Access-Control-Allow-Origin: *');
    openssl_encrypt('x', 'aes-256-cbc', 'word-word-word', 0, '0123456789abcdef');
    mt_srand(7);
    ftp_connect('files.wharf.example');
    if ($_POST['pass'] == 'x1') {
        return;
    }
    mail($_POST['to'], 'Hello', 'text', "From: " . $_POST['from']);
    parse_str($_SERVER['QUERY_STRING']);
}
