require "net/ldap"
require "zip"

# Looks people up, unpacks what they send, and remembers them.
class Library
  def person_by_mail(mail)
    @directory.search(base: "o=library", filter: "(|(mail=#{mail})(alias=#{mail}))")
  end

  def person_by_card(card)
    filter = Net::LDAP::Filter.eq("cardNumber", card)
    @directory.search(base: "o=library", filter: filter)
  end

  def shelf_of(catalogue, title)
    catalogue.at_xpath("//book[title='" + title + "']/shelf")
  end

  def shelf_of_number(catalogue, number)
    catalogue.at_xpath("//book[@number='#{number.to_i}']/shelf")
  end

  def readers_named
    @readers.find("$where" => "this.surname == '#{params[:surname]}'").to_a
  end

  def readers_by_surname
    @readers.find(surname: params[:surname].to_s).to_a
  end

  def unpack_donation(upload)
    Zip::File.open(upload) do |zip|
      zip.each do |entry|
        path = File.join(INBOX, entry.name)
        File.open(path, "wb") { |out| out << entry.get_input_stream.read }
      end
    end
  end

  def unpack_donation_flat(upload)
    Zip::File.open(upload) do |zip|
      zip.each do |entry|
        path = File.join(INBOX, File.basename(entry.name))
        File.open(path, "wb") { |out| out << entry.get_input_stream.read }
      end
    end
  end

  def draft(text)
    File.write("/tmp/library-draft.txt", text)
  end

  def draft_in_private(text)
    Tempfile.create("draft") { |file| file.write(text) }
  end

  def seal(text, key)
    box = OpenSSL::Cipher.new("aes-256-cbc").encrypt
    box.key = key
    box.iv = "abcdefghijklmnop"
    box.update(text) + box.final
  end

  def seal_anew(text, key)
    cipher = OpenSSL::Cipher.new("aes-256-gcm").encrypt
    cipher.key = key
    cipher.iv = nonce = SecureRandom.random_bytes(12)
    nonce + cipher.update(text) + cipher.final
  end

  def membership_token
    "lib-" + Array.new(20) { ALPHABET.sample }.join
  end

  def membership_token_v2
    "lib-" + SecureRandom.hex(20)
  end

  def book_of_the_day
    @books.sample
  end

  def overdue(filters)
    statement = +"SELECT reader_id FROM loans WHERE returned IS NULL"
    statement << " AND branch = '#{filters[:branch]}'"
    @db.execute(statement)
  end

  def overdue_since(filters)
    statement = +"SELECT reader_id FROM loans WHERE returned IS NULL"
    statement << " AND days > #{filters[:days].to_i}"
    @db.execute(statement)
  end

  def cover_etag(bytes)
    %("#{Digest::MD5.hexdigest(bytes)}")
  end

  def pin_digest(pin_password)
    Digest::MD5.hexdigest(pin_password)
  end

  def webhook
    expected = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("HOOK_KEY"), request.raw_post)
    return head :forbidden if request.headers["X-Hub-Signature"] != expected

    head :ok
  end

  def webhook_v2
    expected = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("HOOK_KEY"), request.raw_post)
    given = request.headers["X-Hub-Signature"].to_s
    return head :forbidden unless ActiveSupport::SecurityUtils.secure_compare(given, expected)

    head :ok
  end

  def keep_signed_in(reader)
    cookies.signed[:reader] = { value: reader.id, httponly: true, secure: false }
  end

  def keep_signed_in_v2(reader)
    cookies.signed[:reader] = { value: reader.id, httponly: true, secure: true }
  end

  def open_api
    headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
  end

  def open_api_v2
    headers["Access-Control-Allow-Origin"] = "https://catalogue.example.org"
  end

  def interlibrary(path)
    self.class.post(path, body: loan, verify: false)
  end

  def interlibrary_v2(path)
    self.class.post(path, body: loan, verify: true)
  end

  def partner_context
    context = OpenSSL::SSL::SSLContext.new
    context.min_version = OpenSSL::SSL::TLS1_VERSION
    context
  end

  def partner_context_v2
    context = OpenSSL::SSL::SSLContext.new
    context.min_version = OpenSSL::SSL::TLS1_3_VERSION
    context
  end

  def remove_own
    scan = current_reader.scans.find(params[:id])
    File.delete(scan.path)
  end

  def remove_named
    File.delete("/srv/scans/#{params[:name]}")
  end

  def go
    page = params[:page]
    return redirect_to("/") unless page.match?(%r{\A/[a-z]+(?:/\d+)?\z})

    redirect_to page
  end

  def go_anywhere
    redirect_to params[:page]
  end
end

get "/books" do
  "<h2>Books by #{params['author']}</h2>"
end

get "/books/safe" do
  "<h2>Books by #{ERB::Util.html_escape(params['author'])}</h2>"
end
