CREATE TABLE "months" (
	"month" text PRIMARY KEY NOT NULL,
	"highlights" jsonb NOT NULL,
	"editions" jsonb NOT NULL,
	"started_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "outlet_statements" ADD COLUMN "paid_on" date;--> statement-breakpoint
ALTER TABLE "outlet_statements" ADD COLUMN "paid_by" text;--> statement-breakpoint
ALTER TABLE "outlet_statements" ADD COLUMN "reminded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "edition_position" integer;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "highlight_position" integer;