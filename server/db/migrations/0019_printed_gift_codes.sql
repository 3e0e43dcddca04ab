CREATE TABLE "printed_gift_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"gift_id" uuid,
	"book_gift_id" uuid
);
--> statement-breakpoint
ALTER TABLE "printed_gift_codes" ADD CONSTRAINT "printed_gift_codes_gift_id_membership_gifts_id_fk" FOREIGN KEY ("gift_id") REFERENCES "public"."membership_gifts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "printed_gift_codes" ADD CONSTRAINT "printed_gift_codes_book_gift_id_gifts_id_fk" FOREIGN KEY ("book_gift_id") REFERENCES "public"."gifts"("id") ON DELETE cascade ON UPDATE no action;