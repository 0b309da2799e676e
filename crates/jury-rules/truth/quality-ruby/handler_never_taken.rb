def fetch(link)
  link.read
rescue StandardError => broken
  puts broken
rescue IOError
  link.close
end
def fetch_again(link)
  link.read
rescue IOError
  link.close
rescue StandardError => broken
  puts broken
end
def shut(link)
  link.close
rescue "closed"
  nil
end
