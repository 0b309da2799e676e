DATE = /(?<year>\d+)-(\d+)/
TIME = /(?<hour>\d+):(?<minute>\d+)/
UNIT = /\d#{%w[kg g]}/
SIZE = /\d(?:kg|g)/
