<?php
function rename_user($user, $name)
{
    strtolower($name);
    $name = trim($name);
    $user->name = $user->name;
    $user->name = $name;
    if ($name === '') {
        new InvalidArgumentException('no name');
    }
    if ($name === 'root') {
        throw new InvalidArgumentException('reserved');
    }
}
