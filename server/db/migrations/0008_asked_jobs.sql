ALTER TABLE "jobs" ADD COLUMN "asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "progress" text;