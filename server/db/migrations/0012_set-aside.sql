ALTER TABLE "library_entries" ADD COLUMN "file_failed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "library_entries" ADD COLUMN "file_problem" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "check_problem" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "check_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "check_after" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_kind" CHECK ("order_lines"."book_id" is not null or "order_lines"."plan" is not null);