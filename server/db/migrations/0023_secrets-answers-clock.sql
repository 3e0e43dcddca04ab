CREATE TABLE "business_clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"ahead_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leaving_answers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"plan" integer NOT NULL,
	"day" date NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "membership_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"client_secret" text NOT NULL,
	"subscription_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "told_email" text;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "told_name" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "leaving_said" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "membership_secrets" ADD CONSTRAINT "membership_secrets_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "membership_secrets_subscription" ON "membership_secrets" USING btree ("subscription_id");