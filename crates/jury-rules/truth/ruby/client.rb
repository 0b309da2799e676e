require "digest"
require "net/http"
require "openssl"
require "securerandom"
require "jwt"

class Client
  def connect(host)
    http = Net::HTTP.new(host, 443)
    http.use_ssl = true
    http.verify_mode = OpenSSL::SSL::VERIFY_NONE
    http
  end

  def connect_safe(host)
    http = Net::HTTP.new(host, 443)
    http.use_ssl = true
    http.verify_mode = OpenSSL::SSL::VERIFY_PEER
    http
  end

  def digest(password)
    Digest::MD5.hexdigest(password)
  end

  def digest_safe(password)
    BCrypt::Password.create(password)
  end

  def encrypt(key)
    OpenSSL::Cipher.new("des-ede3-cbc")
  end

  def encrypt_safe(key)
    OpenSSL::Cipher.new("aes-256-gcm")
  end

  def claims(token)
    JWT.decode(token, nil, false)
  end

  def claims_safe(token, key)
    JWT.decode(token, key, true, algorithm: "RS256")
  end
end
