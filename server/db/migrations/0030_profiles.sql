ALTER TABLE "publishers" ADD COLUMN "about_by_office" text;--> statement-breakpoint
ALTER TABLE "publishers" ADD COLUMN "website_by_office" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "about_by_office" text;