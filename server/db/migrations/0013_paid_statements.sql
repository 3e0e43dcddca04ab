ALTER TABLE "outlet_statements" ADD COLUMN "paid_on" date;--> statement-breakpoint
ALTER TABLE "outlet_statements" ADD COLUMN "paid_by" text;--> statement-breakpoint
ALTER TABLE "outlet_statements" ADD COLUMN "reminded_at" timestamp with time zone;