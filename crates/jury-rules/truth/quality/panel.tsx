import React, { useCallback, useEffect, useMemo, useState } from "react";
import { bus, load, type Item } from "./bus";

interface Props {
  id: string;
  items: Item[];
  title?: string;
}

export function Basket({ id }: Props) {
  const [items, setItems] = useState<Item[]>([]);

  const add = useCallback((item: Item) => {
    items.push(item);
    setItems(items);
  }, [items]);

  const addCopy = useCallback((item: Item) => {
    setItems((before) => [...before, item]);
  }, []);

  return <button onClick={() => add({ id })} onDoubleClick={() => addCopy({ id })}>{items.length}</button>;
}

export const Profile = ({ id }: Props) => {
  const [user, setUser] = useState({ name: "", tags: [] as string[] });
  const rename = (name: string) => {
    user.name = name;
    setUser(user);
  };
  const renameCopy = (name: string) => {
    const next = { ...user };
    next.name = name;
    setUser(next);
  };
  return <input id={id} onChange={(event) => rename(event.target.value)} onBlur={() => renameCopy("")} />;
};

export function Heading(props: Props) {
  props.title = props.title ?? "untitled";
  return <h2>{props.title}</h2>;
}

export function HeadingWithDefault(props: Props) {
  const title = props.title ?? "untitled";
  return <h2>{title}</h2>;
}

export function Chart({ items }: Props) {
  if (items.length === 0) {
    return <p>empty</p>;
  }
  const sum = useMemo(() => items.length * 2, [items]);
  return <p>{sum}</p>;
}

export function ChartWell({ items }: Props) {
  const sum = useMemo(() => items.length * 2, [items]);
  if (items.length === 0) {
    return <p>empty</p>;
  }
  return <p>{sum}</p>;
}

export function Rows({ items }: Props) {
  const labels = items.map((item) => {
    const [open] = useState(false);
    return open ? item.id : "";
  });
  return <ul>{labels}</ul>;
}

export function RowsWell({ items }: Props) {
  const [open] = useState(false);
  const labels = items.map((item) => (open ? item.id : ""));
  return <ul>{labels}</ul>;
}

export function useTicker(isOn: boolean) {
  const [ticks, setTicks] = useState(0);
  if (isOn) {
    useEffect(() => bus.every(1000, () => setTicks((n) => n + 1)), []);
  }
  return ticks;
}

export function useTickerWell(isOn: boolean) {
  const [ticks, setTicks] = useState(0);
  useEffect(() => (isOn ? bus.every(1000, () => setTicks((n) => n + 1)) : undefined), [isOn]);
  return ticks;
}

export function Clock() {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setInterval(() => setNow(Date.now()), 500);
  }, []);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <time>{now}</time>;
}

export function Keys({ id }: Props) {
  const [last, setLast] = useState("");
  React.useEffect(() => {
    const onKey = (event: KeyboardEvent) => setLast(event.key);
    document.addEventListener("keydown", onKey);
  }, [id]);
  React.useEffect(() => {
    const onKey = (event: KeyboardEvent) => setLast(event.key);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
    };
  }, [id]);
  return <kbd>{last}</kbd>;
}

export function Loader({ id }: Props) {
  const [item, setItem] = useState<Item | null>(null);
  useEffect(async () => {
    setItem(await load(id));
  }, [id]);
  useEffect(() => {
    let isCurrent = true;
    void load(id).then((loaded) => isCurrent && setItem(loaded), () => setItem(null));
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return <p>{item?.id}</p>;
}

export function Size({ items }: Props) {
  const [size, setSize] = useState(0);
  useEffect(() => {
    setSize(size + items.length);
  });
  useEffect(() => {
    setSize(items.length);
  }, [items.length]);
  return <b>{size}</b>;
}
