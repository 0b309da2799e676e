export function tidy(rows: Row[]) {
  for (let i = 0; i < rows.length; i++) {
    if (rows[i].done) rows.splice(i, 1);
  }
  for (let i = rows.length - 1; i >= 0; i--) {
    if (rows[i].done) rows.splice(i, 1);
  }
  return rows;
}
export const never = /^lamp[]$/;
export const pair = /^lamp\[\]$/;
