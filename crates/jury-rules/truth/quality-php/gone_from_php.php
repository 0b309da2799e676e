<?php
$link = mysql_connect('localhost', $user, $secret);
$link = mysqli_connect('localhost', $user, $secret);
$parts = split(',', $line);
$parts = explode(',', $line);
