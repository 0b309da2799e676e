<?php
define('DB_PASSWORD', 'wP7%Iqb§NUD5ula');
define('DB_PASSWORD_FROM', getenv('DB_PASSWORD'));
return [
    'mailchimp_api_key' => '038350622420c05c49§443d1ba1e5168c-us6',
    'mailchimp_list' => 'a1b2c3d4e5',
    'auth_key' => 'e7lDdvGnc8IkIf3zYSmz§Lc70MQGI81OA2AFmNFI6',
    'auth_key_name' => 'HTTP_X_ACME_AUTH_KEY_2',
];
