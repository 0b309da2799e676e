<?php
function load($paths)
{
    try {
        read_all($paths);
    } catch (Throwable $problem) {
        report($problem);
    } catch (RuntimeException $problem) {
        retry($paths);
    }
    for ($at = 0; $at < 5; $at--) {
        read_one($paths[$at]);
    }
    for ($at = 5; $at > 0; $at--) {
        read_one($paths[$at]);
    }
    foreach ($paths as $path) {
        read_one($path);
        break;
    }
    foreach ($paths as $path) {
        if (read_one($path)) {
            break;
        }
    }
}
