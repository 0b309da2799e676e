Rails.application.configure do
  config.secret_key_base = "e21f54bc87688f0e1aee811eb75e92db8dc2bf699e73574358c4922ead4255af§006ca51556c469e8e08a9c93c47fe7d3a518d630fb7362e64386cc7070ccfb20"
  config.public_file_server.headers = { "Cache-Control" => "public, max-age=3600" }
  config.assets_digest_token = Digest::SHA256.hexdigest(File.read("VERSION"))
  Shopify.token = "shpat_3efaa2112fb53§a742096ea906a65b628"
  Shopify.token = ENV.fetch("SHOPIFY_TOKEN")
end
