ALTER TABLE "discounts" ADD COLUMN "uses" integer;--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "folder" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "coupon_reserved_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "coupon_reserved_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "subscriptions_coupon" ON "subscriptions" USING btree ("coupon_code") WHERE "subscriptions"."coupon_code" is not null;--> statement-breakpoint
CREATE INDEX "orders_coupon" ON "orders" USING btree ("coupon_code") WHERE "orders"."coupon_code" is not null;