CREATE TABLE "event_seats" (
	"token" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"item_id" integer NOT NULL,
	"user_id" uuid,
	"email" text,
	"name" text,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "event_seats_holder" CHECK (("event_seats"."user_id" is null) = ("event_seats"."email" is not null))
);
--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "bookseller_words" text;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "bookseller_name" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "place" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "place_note" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "seats" integer;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "admission" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "good_to_know" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "background_colour" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "container_colour" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "text_colour" text;--> statement-breakpoint
ALTER TABLE "editorial_items" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "about" text;--> statement-breakpoint
ALTER TABLE "event_seats" ADD CONSTRAINT "event_seats_item_id_editorial_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."editorial_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_seats" ADD CONSTRAINT "event_seats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "event_seats_user" ON "event_seats" USING btree ("item_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "event_seats_guest" ON "event_seats" USING btree ("item_id","email");--> statement-breakpoint
CREATE INDEX "event_seats_of_user" ON "event_seats" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "event_seats_of_email" ON "event_seats" USING btree ("email");