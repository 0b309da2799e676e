class Letterhead
  # The fax of a customer used to stand here: customer.fax
  def lines(customer, office)
    [customer.name, "Fax #{office.fax}"]
  end
end
