import { useCallback, useMemo, useState } from "react";

export function Shelf({ pots, width }) {
  const heavy = useMemo(() => pots.filter((pot) => pot.kilos > 9), []);
  const light = useMemo(() => pots.filter((pot) => pot.kilos < 2), [pots]);
  const [open, setOpen] = useState(false);
  const toggle = useCallback(() => setOpen((was) => !was), []);
  return (
    <ul
      onDoubleClick={() => {
        const [seen] = useState(0);
        note(seen);
      }}
      onClick={toggle}
    >
      {open ? heavy.length : light.length * width}
    </ul>
  );
}
