CREATE TABLE "todo_done" (
	"key" text PRIMARY KEY NOT NULL,
	"done_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_tries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"order_id" uuid,
	"subscription_id" uuid,
	"intent_id" text,
	"outcome" text NOT NULL,
	"reason" text,
	"tried_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "payment_tries_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "succeeded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "problem" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "contradicted_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "contradicted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_tries" ADD CONSTRAINT "payment_tries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_tries" ADD CONSTRAINT "payment_tries_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_tries_order" ON "payment_tries" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_tries_subscription" ON "payment_tries" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "payment_tries_misfit" ON "payment_tries" USING btree ("tried_at") WHERE "payment_tries"."outcome" = 'misfit';--> statement-breakpoint
CREATE INDEX "subscriptions_contradicted" ON "subscriptions" USING btree ("contradicted_at") WHERE "subscriptions"."contradicted_at" is not null;