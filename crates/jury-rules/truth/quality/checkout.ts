import { db, mailer, metrics } from "./infrastructure";
import type { Basket, Receipt } from "./types";

export class Checkout {
  private running = 0;

  constructor(private readonly region: string) {}

  private async reserve(basket: Basket): Promise<void> {
    await db.transaction(async (tx) => {
      for (const line of basket.lines) {
        await tx.decrement("stock", line.sku, line.quantity);
      }
    });
  }

  async pay(basket: Basket): Promise<Receipt> {
    this.running += 1;
    this.reserve(basket);
    const receipt = await db.charge(basket.total, this.region);
    this.running -= 1;
    return receipt;
  }

  async payLater(basket: Basket): Promise<Receipt> {
    await this.reserve(basket);
    return db.invoice(basket.total, this.region);
  }
}

const notify = async (receipt: Receipt): Promise<boolean> => {
  const sent = await mailer.send(receipt.email, receipt.id);
  return sent.accepted.length > 0;
};

export function finish(receipt: Receipt): void {
  metrics.count("finished");
  notify(receipt);
}

export function finishQuietly(receipt: Receipt): void {
  metrics.count("finished");
  notify(receipt).catch((reason) => metrics.count("mail-failed", reason));
}

export function warmUp(urls: string[]): void {
  for (const url of urls) {
    fetch(url, { method: "HEAD" });
  }
}

export async function warmUpAndWait(urls: string[]): Promise<void> {
  for (const url of urls) {
    await fetch(url, { method: "HEAD" });
  }
}

export async function confirm(receipt: Receipt): Promise<string> {
  if (notify(receipt)) {
    return "sent";
  }
  return "kept";
}

export async function confirmAwaited(receipt: Receipt): Promise<string> {
  if (await notify(receipt)) {
    return "sent";
  }
  return "kept";
}

export async function describe(receipt: Receipt): Promise<string> {
  return !notify(receipt) ? "undelivered" : "delivered";
}

export async function describeAwaited(receipt: Receipt): Promise<string> {
  return !(await notify(receipt)) ? "undelivered" : "delivered";
}
