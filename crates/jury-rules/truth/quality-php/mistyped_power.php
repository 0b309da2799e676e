<?php
$mega = 10 ^ 6;
$giga = 10 ** 9;
try {
    load();
} catch (Throwable $problem) {
}
try {
    load();
} catch (Throwable $problem) {
    report($problem);
}
