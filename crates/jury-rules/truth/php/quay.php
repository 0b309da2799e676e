<?php

namespace Quay;

function pages($db, $ldap) {
    $who = $_GET['who'];
    echo "<b>$who</b>";
    echo '<b>' . htmlspecialchars($who) . '</b>';
    print($_POST['note']);
    $db->query("SELECT * FROM berths WHERE owner = '$who'");
    $db->prepare('SELECT * FROM berths WHERE owner = ?')->execute([$who]);
    mysqli_query($db, 'SELECT * FROM berths WHERE owner = ' . $who);
    system('ls ' . $who);
    system('ls ' . escapeshellarg($who));
    $out = `cat $who`;
    eval($who);
    include $_GET['page'] . '.php';
    unserialize($_COOKIE['cart']);
    file_get_contents($_GET['url']);
    header('Location: ' . $_GET['to']);
    header('X-Who: ' . $who);
    readfile('/srv/' . $who);
    readfile('/srv/' . basename($who));
    ldap_search($ldap, 'ou=staff', "(uid=$who)");
    ldap_bind($ldap);
    extract($_POST);
    preg_match("/$who/", 'text');
    preg_match('/' . preg_quote($who, '/') . '/', 'text');
    call_user_func($who, 1);
    $maker = new $who();
    session_id($_GET['sid']);
}

function secrets($word, $salt) {
    md5($word);
    crypt($word, '$1$pier$');
    hash_pbkdf2('sha256', $word, 'pier', 600000);
    hash_pbkdf2('sha256', $word, $salt, 600000);
    hash_pbkdf2('sha256', $word, $salt, 900);
    password_hash($word, PASSWORD_BCRYPT, ['cost' => 5]);
    password_hash($word, PASSWORD_DEFAULT);
    openssl_encrypt('text', 'des-ecb', $word);
    base_convert(bin2hex(random_bytes(16)), 16, 36);
    base_convert(12, 10, 36);
    setcookie('sid', $word, 0, '/', '', false, true);
    ini_set('session.use_only_cookies', 0);
    ini_set('session.use_only_cookies', 1);
    if (md5($word) == $_GET['sum']) {
        return true;
    }
    phpinfo();
    chmod('/srv/run', 0777);
    curl_setopt($word, CURLOPT_SSL_VERIFYPEER, false);
}

class BerthType extends \Symfony\Component\Form\AbstractType {
    public function configureOptions($resolver) {
        $resolver->setDefaults(['csrf_protection' => false]);
        $resolver->setDefaults(['csrf_protection' => true]);
    }
}
