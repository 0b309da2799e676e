export const Rows = ({ rows }) => (
  <ul>
    {rows.length && <Head />}
    {rows.length > 0 && <Head />}
    {rows.map((row) => <li>{row.name}</li>)}
    {rows.map((row) => <li key={row.id}>{row.name}</li>)}
  </ul>
);
export class Counter extends Component {
  add() {
    this.setState({ count: this.state.count + 1 });
  }
  addSafe() {
    this.setState((state) => ({ count: state.count + 1 }));
  }
}
