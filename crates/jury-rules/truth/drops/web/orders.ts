import { prisma } from "./client";

export async function statement(customerId: number) {
  const orders = await prisma.order.findMany({
    where: { customerId },
    select: { id: true, total: true },
  });
  return orders.map(({ id }) => id);
}

export function basketTotal(items: Item[]): number {
  const total = items.reduce((sum, item) => sum + item.price, 0);
  return total;
}
