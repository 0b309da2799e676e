-- AlterTable
ALTER TABLE "Order"
  DROP COLUMN "total",
  DROP COLUMN "basketTotal",
  ADD COLUMN "totalCents" INTEGER;
