def settle(account, name)
  account.balance == 0
  account.balance = 0
  name.upcase
  name.upcase!
  "done"
  account.close
end
