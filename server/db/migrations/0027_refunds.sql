CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"reason" text NOT NULL,
	"key" text NOT NULL,
	"order_id" uuid,
	"invoice_id" text,
	"payment_id" text,
	"amount_minor" integer NOT NULL,
	"state" text NOT NULL,
	"provider_id" text,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "refunds_key_unique" UNIQUE("key"),
	CONSTRAINT "refunds_provider_id_unique" UNIQUE("provider_id"),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_minor" > 0)
);
--> statement-breakpoint
ALTER TABLE "credits" ADD COLUMN "held_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "forgotten_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "disputed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("next_try_at") WHERE "refunds"."next_try_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "subscriptions_withdrawing" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."withdrawn_at" is not null and "subscriptions"."status" <> 'canceled';--> statement-breakpoint
CREATE INDEX "subscriptions_unforgotten" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."user_id" is null and "subscriptions"."provider_id" is not null and "subscriptions"."forgotten_at" is null;--> statement-breakpoint
CREATE INDEX "orders_disputed" ON "orders" USING btree ("disputed_at") WHERE "orders"."disputed_at" is not null;--> statement-breakpoint
-- What was open before there were rows for it: disputes of gifts, and gifts whose money had been asked back.
UPDATE "orders" SET "disputed_at" = "membership_gifts"."suspended_at" FROM "membership_gifts"
	WHERE "membership_gifts"."order_id" = "orders"."id" AND "membership_gifts"."suspended_at" IS NOT NULL AND "membership_gifts"."revoked_at" IS NULL;--> statement-breakpoint
INSERT INTO "refunds" ("reason", "key", "order_id", "amount_minor", "state", "next_try_at", "created_at", "updated_at")
	SELECT 'gift-taken-back', 'gift-taken-back:' || "id", "order_id", "paid_minor", 'asked', "taken_back_at", "taken_back_at", "taken_back_at" FROM "membership_gifts"
	WHERE "taken_back_at" IS NOT NULL AND "revoked_at" IS NULL AND "order_id" IS NOT NULL AND "paid_minor" > 0;
