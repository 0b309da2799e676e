<?php
declare(strict_types=1);

class OrderRepository
{
    private PDO $pdo;
    private mysqli $link;

    public function __construct(PDO $pdo, mysqli $link)
    {
        $this->pdo = $pdo;
        $this->link = $link;
    }

    public function find(string $number)
    {
        $sql = "SELECT * FROM orders WHERE number = '$number'";
        return $this->pdo->query($sql)->fetchAll();
    }

    public function findBound(string $number)
    {
        $stmt = $this->pdo->prepare("SELECT * FROM orders WHERE number = :number");
        $stmt->execute(['number' => $number]);
        return $stmt->fetchAll();
    }

    public function byCustomer(): array
    {
        $customer = $_GET['customer'] ?? '';
        $result = $this->link->query(
            'SELECT id, total FROM orders WHERE customer = "' . $customer . '" ORDER BY id'
        );
        return $result->fetch_all();
    }

    public function byCustomerId(): array
    {
        $customer = (int) ($_GET['customer'] ?? 0);
        $result = $this->link->query("SELECT id, total FROM orders WHERE customer = $customer");
        return $result->fetch_all();
    }

    public function escaped(): array
    {
        $name = mysqli_real_escape_string($this->link, $_POST['name']);
        $result = mysqli_query($this->link, "SELECT id FROM orders WHERE name = '$name'");
        return mysqli_fetch_all($result);
    }

    public function search(array $filters)
    {
        $sql = 'SELECT id FROM orders WHERE 1 = 1';
        foreach ($filters as $column => $value) {
            $sql .= " AND $column = '$value'";
        }
        return mysqli_query($this->link, $sql);
    }

    public function sorted()
    {
        $columns = ['id', 'total', 'created_at'];
        $sort = $_GET['sort'] ?? 'id';
        if (!in_array($sort, $columns, true)) {
            $sort = 'id';
        }
        return $this->pdo->query("SELECT id FROM orders ORDER BY {$sort}");
    }
}

function purge($db)
{
    $ids = implode(',', $_POST['ids']);
    pg_query($db, "DELETE FROM orders WHERE id IN ($ids)");
}

function purgeNumbers($db)
{
    $ids = implode(',', array_map('intval', $_POST['ids']));
    pg_query_params($db, 'DELETE FROM orders WHERE id = ANY($1)', [$ids]);
}

function legacy($conn)
{
    $query = sprintf("UPDATE orders SET note = '%s' WHERE id = %d", $_REQUEST['note'], $_REQUEST['id']);
    mysql_query($query, $conn);
}

function posts()
{
    global $wpdb;
    $title = $_GET['title'];
    $wpdb->get_results("SELECT ID FROM {$wpdb->posts} WHERE post_title = '$title'");
    $wpdb->get_results($wpdb->prepare("SELECT ID FROM {$wpdb->posts} WHERE post_title = %s", $title));
}
