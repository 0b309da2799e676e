def config(path)
  return {} unless Dir.exists?(File.dirname(path))
  return {} unless File.exist?(path)
  value = read(path)
  value.is_a?(Bignum) ? value : 0
end
