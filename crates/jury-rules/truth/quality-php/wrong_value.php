<?php
function greet($name, $items)
{
    $line = "Dear " + $name;
    $line = "Dear " . $name;
    if (strlen($name) === "4") {
        $line .= '!';
    }
    if (strlen($name) === 4) {
        $line .= '!';
    }
    if (strpos($line, 'Dear')) {
        return $line;
    }
    if (strpos($line, 'Dear') !== false) {
        return $line;
    }
    return date('d.m.Y H:m');
}
