export const en = {
  password: "Use 12+ characters, 1 digit and 1 sign",
  token: "lorem-ipsum-dolor-sit-amet-2",
  apiKey: "settings.integrations.api_key.label2",
  secret: "aaaaaaaaaaaaaaaaaaaa1",
};
export const commit = "0db685824cdc0b5bf8ba§f2ec858d0d28d2b63d42";
export const etagToken = 'W/"' + version + '"';
export const csrfToken = "wNoQJdk7NQKYykFG§a5gANQfYkkV5eJ67";
export const tokenId = "7a1c2f0e-5b3d-4c6e-9f80-1a2b3c4d5e6f";
