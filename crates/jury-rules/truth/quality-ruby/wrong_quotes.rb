def label(parcel)
  title = 'For #{parcel.name}'
  title = "For #{parcel.name}"
  warn 'lost: #{title}'
  title
end
