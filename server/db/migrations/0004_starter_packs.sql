CREATE TABLE "starter_pack_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"shop_name" text NOT NULL,
	"contact" text NOT NULL,
	"email" text NOT NULL,
	"town" text NOT NULL,
	"packs" integer NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "starter_pack_requests_open" ON "starter_pack_requests" USING btree ("email","shop_name","contact","town","packs") WHERE "starter_pack_requests"."done_at" is null;--> statement-breakpoint
CREATE INDEX "starter_pack_requests_email" ON "starter_pack_requests" USING btree ("email");