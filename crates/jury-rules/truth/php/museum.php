<?php

use MongoDB\Client;

final class Museum
{
    private $visitors;

    public function __construct(Client $mongo)
    {
        $this->visitors = $mongo->selectCollection('museum', 'visitors');
    }

    public function enter()
    {
        return $this->visitors->findOne(['ticket' => $_GET['ticket'], 'code' => $_GET['code']]);
    }

    public function enterChecked()
    {
        $ticket = (string) $_GET['ticket'];
        return $this->visitors->findOne(['ticket' => $ticket]);
    }

    public function visitorOf(string $pass)
    {
        $pieces = explode('.', $pass);
        return json_decode(base64_decode($pieces[1]))->visitor;
    }

    public function visitorOfSigned(string $pass, string $key)
    {
        return JWT::decode($pass, new Key($key, 'HS256'))->visitor;
    }

    public function partner()
    {
        return stream_context_create([
            'ssl' => [
                'cafile' => '/etc/museum/ca.pem',
                'verify_peer_name' => false,
            ],
        ]);
    }

    public function partnerChecked()
    {
        return stream_context_create([
            'ssl' => [
                'verify_peer_name' => true,
            ],
        ]);
    }

    public function oldPartner($handle)
    {
        curl_setopt($handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_1);
    }

    public function newPartner($handle)
    {
        curl_setopt($handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_3);
    }

    public function keyPair()
    {
        return openssl_pkey_new([
            'private_key_type' => OPENSSL_KEYTYPE_RSA,
            'private_key_bits' => 512,
        ]);
    }

    public function strongKeyPair()
    {
        return openssl_pkey_new([
            'private_key_bits' => 4096,
        ]);
    }

    public function guestbook(PDO $db, array $numbers)
    {
        $places = implode(', ', array_fill(0, count($numbers), '?'));
        $query = $db->prepare("SELECT entry FROM guestbook WHERE number IN ($places)");
        $query->execute($numbers);
        return $query->fetchAll();
    }

    public function guestbookOf(PDO $db, string $name)
    {
        return $db->query("SELECT entry FROM guestbook WHERE author = '$name'");
    }

    public function room(string $unused)
    {
        $room = preg_match('#\A[a-z]{3,12}\z#', $_GET['room'] ?? '') ? $_GET['room'] : 'hall';
        require __DIR__ . "/rooms/$room.php";
    }

    public function anyRoom()
    {
        require __DIR__ . '/rooms/' . $_GET['room'] . '.php';
    }

    public function scan()
    {
        $base = realpath('/srv/museum/scans') . '/';
        $file = realpath($base . $_GET['scan']);
        if ($file === false || strncmp($file, $base, strlen($base)) !== 0) {
            return null;
        }
        return file_get_contents($file);
    }

    public function anyScan()
    {
        return file_get_contents('/srv/museum/scans/' . $_GET['scan']);
    }

    public function posterCacheKey(string $url): string
    {
        return 'poster.' . md5($url);
    }

    public function guideLogin(string $password): string
    {
        return sha1($password);
    }

    public function remember($response, string $token)
    {
        $response->headers->setCookie(new Cookie('guide', $token, 0, '/', null, false, true));
    }

    public function rememberSafely($response, string $token)
    {
        $response->headers->setCookie(new Cookie('guide', $token, 0, '/', null, true, true));
    }

    public function isPartner(string $expected): bool
    {
        return strcmp($_SERVER['HTTP_X_PARTNER_TOKEN'], $expected) === 0;
    }

    public function isPartnerSafely(string $expected): bool
    {
        return hash_equals($expected, $_SERVER['HTTP_X_PARTNER_TOKEN']);
    }

    public function note()
    {
        error_log('visitor says ' . $_POST['note']);
    }

    public function noteSafely()
    {
        error_log('visitor says ' . json_encode($_POST['note']));
    }

    public function export(string $rows)
    {
        file_put_contents('/tmp/museum-export.csv', $rows);
    }

    public function exportSafely(string $rows)
    {
        file_put_contents(tempnam(sys_get_temp_dir(), 'museum'), $rows);
    }
}
