ALTER TABLE "cart_items" ADD COLUMN "gift_day" text;--> statement-breakpoint
ALTER TABLE "cart_items" ADD COLUMN "gift_zone" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "day" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "zone" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "deliver_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "gift_day" text;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "gift_zone" text;