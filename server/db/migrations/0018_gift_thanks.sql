ALTER TABLE "gifts" ADD COLUMN "thanks" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "thanked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "membership_gifts" ADD COLUMN "thanks" text;--> statement-breakpoint
ALTER TABLE "membership_gifts" ADD COLUMN "thanked_at" timestamp with time zone;