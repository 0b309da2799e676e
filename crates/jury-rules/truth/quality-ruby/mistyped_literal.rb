ROLES = %w("admin" "guest")
STATES = %w(open closed)
FIELDS = %i(name, age)
COLUMNS = %i(name age)

def letter?(sign)
  sign.match?(/[A-z]/)
end

def word?(sign)
  sign.match?(/[A-Za-z]/)
end

def within?(age)
  18 <= age <= 65
end

def between?(age)
  18 <= age && age <= 65
end

balance = 10
balance =- 4
balance -= 4
