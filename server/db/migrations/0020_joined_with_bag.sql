ALTER TABLE "subscriptions" ADD COLUMN "cart_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "wallet" text;