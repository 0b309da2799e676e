<?php
session_start();
$name = $_GET['name'] ?? 'guest';
$tab = in_array($_GET['tab'] ?? '', ['a', 'b'], true) ? $_GET['tab'] : 'a';
?>
<html>
<body>
<h1>Hello <?= $name ?></h1> <!-- greeting -->
<p>Welcome, <?= htmlspecialchars($name, ENT_QUOTES) ?></p>
<?php if (isset($_POST['comment'])): ?>
  <div><?php echo $_POST['comment']; ?></div>
  <div><?php echo htmlentities($_POST['comment']); ?></div>
<?php endif; ?>
<ul>
<?php foreach ($_GET as $key => $value) { ?>
  <li><?php print "<b>$key</b>"; ?></li>
  <li><?php print '<b>' . strlen($key) . '</b>'; ?></li>
<?php } ?>
</ul>
<a href="<?php echo $_SERVER['PHP_SELF']; ?>">again</a>
<a href="<?php echo htmlspecialchars($_SERVER['PHP_SELF']); ?>">again</a>
<?php printf('<i>%s</i>', $_COOKIE['theme']); ?>
<?php printf('<i>%d</i>', $_COOKIE['size']); ?>
</body>
</html>
