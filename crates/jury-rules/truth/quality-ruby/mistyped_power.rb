KILO = 2 ^ 10
MEGA = 2 ** 20
