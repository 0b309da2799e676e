<?php

class Accounts
{
    public function register(string $password): string
    {
        return md5($password);
    }

    public function registerSafe(string $password): string
    {
        return password_hash($password, PASSWORD_ARGON2ID);
    }

    public function check($user): bool
    {
        return sha1($_POST['password'] . $user->salt) === $user->hash;
    }

    public function etag(string $body): string
    {
        return hash('sha256', $body);
    }

    public function resetToken(): string
    {
        return md5(uniqid((string) mt_rand(), true));
    }

    public function resetTokenSafe(): string
    {
        return bin2hex(random_bytes(32));
    }

    public function dice(): int
    {
        return mt_rand(1, 6);
    }

    public function seal(string $data, string $key): string
    {
        return openssl_encrypt($data, 'aes-128-ecb', $key);
    }

    public function sealSafe(string $data, string $key): string
    {
        $iv = random_bytes(12);
        return openssl_encrypt($data, 'aes-256-gcm', $key, 0, $iv, $tag);
    }

    public function sealFixed(string $data, string $key): string
    {
        return openssl_encrypt($data, 'aes-256-cbc', $key, OPENSSL_RAW_DATA, '1234567890123456');
    }

    public function sealFresh(string $data, string $key): string
    {
        $iv = openssl_random_pseudo_bytes(16);
        return $iv . openssl_encrypt($data, 'aes-256-cbc', $key, OPENSSL_RAW_DATA, $iv);
    }

    public function valid(string $given): bool
    {
        $expected = hash_hmac('sha256', 'x', getenv('KEY'));
        return $given == $expected;
    }

    public function validSafe(string $given): bool
    {
        $expected = hash_hmac('sha256', 'x', getenv('KEY'));
        return hash_equals($expected, $given);
    }
}

function call(string $url)
{
    $ch = curl_init($url);
    curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false);
    return curl_exec($ch);
}

function callSafe(string $url)
{
    $ch = curl_init($url);
    curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, true);
    return curl_exec($ch);
}

function callMany(string $url)
{
    $ch = curl_init($url);
    curl_setopt_array($ch, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_SSL_VERIFYHOST => 0,
    ]);
    return curl_exec($ch);
}

function connect()
{
    return new PDO('mysql:host=db;dbname=shop', 'root', 'Winter2023!');
}

function connectFromEnv()
{
    return new PDO('mysql:host=db;dbname=shop', getenv('DB_USER'), getenv('DB_PASS'));
}

function link()
{
    return mysqli_connect('localhost', 'app', 'pa55word', 'shop');
}

function linkFrom(array $config)
{
    return mysqli_connect('localhost', $config['user'], $config['password'], 'shop');
}
