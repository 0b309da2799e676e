import { store } from "./store";

interface Account {
  id: string;
  owner: string;
  balance: number;
}

async function fetchAccount(id: string): Promise<Account> {
  const row = await store.get<Account>("accounts", id);
  if (row === undefined) {
    throw new Error(`no account ${id}`);
  }
  return row;
}

const countOpen = async function (owner: string): Promise<number> {
  return (await store.list("accounts", { owner, open: true })).length;
};

export async function ownerOf(id: string): Promise<string> {
  const account = fetchAccount(id);
  return account.owner;
}

export async function ownerOfAwaited(id: string): Promise<string> {
  const account = await fetchAccount(id);
  return account.owner;
}

export async function mayOpenAnother(owner: string): Promise<boolean> {
  return countOpen(owner) < 3;
}

export async function mayOpenAnotherAwaited(owner: string): Promise<boolean> {
  return (await countOpen(owner)) < 3;
}

export async function balances(ids: string[]): Promise<number[]> {
  const open = ids.filter(async (id) => (await fetchAccount(id)).balance > 0);
  return open.map((id) => id.length);
}

export async function balancesAwaited(ids: string[]): Promise<number[]> {
  const accounts = await Promise.all(ids.map(fetchAccount));
  return accounts.filter((account) => account.balance > 0).map((account) => account.balance);
}

export function anyOverdrawn(accounts: Account[]): boolean {
  return accounts.some(async function (account) {
    const fresh = await fetchAccount(account.id);
    return fresh.balance < 0;
  });
}

export function anyOverdrawnNow(accounts: Account[]): boolean {
  return accounts.some(function (account) {
    return account.balance < 0;
  });
}

export async function close(ids: string[]): Promise<void> {
  await ids.map(async (id) => store.remove("accounts", id));
}

export async function closeAll(ids: string[]): Promise<void> {
  await Promise.all(ids.map(async (id) => store.remove("accounts", id)));
}

export function refresh(accounts: Account[]): void {
  accounts
    .forEach(async (account) => {
      account.balance = (await fetchAccount(account.id)).balance;
    });
}

export async function lookUp(id: string): Promise<Account | undefined> {
  try {
    return fetchAccount(id);
  } catch (reason) {
    store.log("lookup failed", reason);
    return undefined;
  }
}

export async function lookUpAwaited(id: string): Promise<Account | undefined> {
  try {
    return await fetchAccount(id);
  } catch (reason) {
    store.log("lookup failed", reason);
    return undefined;
  }
}

export function preload(id: string, show: (account: Account) => void): void {
  fetchAccount(id).then((account) => {
    show(account);
  });
}

export function preloadSafely(id: string, show: (account: Account) => void): void {
  fetchAccount(id).then((account) => {
    show(account);
  }).catch((reason) => store.log("preload failed", reason));
}

export function openSocket(url: string): Promise<WebSocket> {
  return new Promise<WebSocket>(async (resolve) => {
    const token = await store.get<string>("tokens", url);
    resolve(new WebSocket(`${url}?t=${token}`));
  });
}

export function openSocketPlainly(url: string): Promise<WebSocket> {
  return new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new Error(url));
  });
}
