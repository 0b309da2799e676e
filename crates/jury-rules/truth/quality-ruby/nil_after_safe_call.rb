def address(guest)
  guest&.home.street
  guest&.home&.street
  guest&.home(1).city(2)
  guest&.home.blank?
end
