export function pageCount(total: number, size: number): number {
  return Math.floor(total / size);
}
