class ParseFailure < Exception
end

class FormatFailure < StandardError
end

def parse(text)
  raise Exception.new("empty") if text.empty?
  raise ArgumentError, "blank" if text.strip.empty?
end
