<?php

class Berths
{
    protected $table;

    public function __construct(private PDO $harbour)
    {
    }

    public function clear($id)
    {
        $this->harbour->prepare("DELETE FROM $this->table WHERE id = ?")->execute([$id]);
    }

    public function clearAny()
    {
        $this->harbour->exec("DELETE FROM " . $_POST['table']);
    }
}
