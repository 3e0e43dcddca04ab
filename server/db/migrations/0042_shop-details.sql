CREATE TABLE "shop_details" (
	"id" smallint PRIMARY KEY NOT NULL,
	"content" jsonb NOT NULL,
	"pictures" jsonb NOT NULL,
	"version" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
