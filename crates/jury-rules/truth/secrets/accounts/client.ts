export const apiKey = "§c0a77d1d-d865-936b-3ac1-3aa02a536162";
export const tenantId = "526d734a-3095-16d1-c5f7-e905c5a92aff";
export const cfg = { client_secret: "§9a68bb07-e72d-abec-63e8-17c064dc1f5d", scope: "all" };
export const own = { client_secret: process.env.CLIENT_SECRET, id: "aff9b00c-4831-386f-8ebd-b3583e57d272" };
