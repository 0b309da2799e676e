export const Names = ({ rows }) => (
  <ul>
    {rows.map((row, index) => <li key={index}>{row.name}</li>)}
    {rows.map((row) => <li key={row.id}>{row.name}</li>)}
  </ul>
);
export const size = (order) => (order?.rows).length;
export const sizeSafe = (order) => order?.rows.length;
