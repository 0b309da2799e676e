export const never = /^lamp[]$/;
export const pair = /^lamp\[\]$/;
