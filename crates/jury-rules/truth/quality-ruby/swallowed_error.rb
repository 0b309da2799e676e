def post(letter)
  begin
    letter.send
  rescue
  end
  begin
    letter.stamp
  rescue => torn
    warn torn
  end
end
def weigh(letter)
  letter.weight
rescue Exception => heavy
  warn heavy
end
