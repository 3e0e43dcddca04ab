CREATE SEQUENCE "public"."settlements" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "event_cursor" (
	"id" integer PRIMARY KEY NOT NULL,
	"settled_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "settled_by" bigint;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "quoted_for" text;--> statement-breakpoint
CREATE INDEX "users_outlet" ON "users" USING btree ("outlet_id") WHERE "users"."outlet_id" is not null;--> statement-breakpoint
CREATE INDEX "cards_order" ON "cards" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "membership_gifts_order" ON "membership_gifts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "membership_gifts_subscription" ON "membership_gifts" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "subscriptions_unchecked" ON "subscriptions" USING btree (coalesce("checked_at", "ordered_at"),"id") WHERE "subscriptions"."provider_id" is not null and "subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused');--> statement-breakpoint
CREATE INDEX "trials_subscription" ON "trials" USING btree ("subscription_id");