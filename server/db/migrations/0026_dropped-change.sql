ALTER TABLE "subscriptions" ADD COLUMN "dropped_plan" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "dropped_at" timestamp with time zone;