class InvoiceCloser
  def close(invoice)
    invoice.save
    mail(invoice)
  end

  def reopen(invoice)
    invoice.save!
    mail(invoice)
  end

  def stamp(invoice)
    invoice.mark(Time.now)
    invoice.mark(Time.current)
  end
end
