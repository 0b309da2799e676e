$login = ConvertTo-SecureString "§Gw4hs9nI66siX8" -AsPlainText -Force
$login = ConvertTo-SecureString $env:LOGIN -AsPlainText -Force
