CREATE TABLE "membership_gifts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_line_id" uuid,
	"order_id" uuid,
	"plan" integer NOT NULL,
	"christmas" boolean DEFAULT false NOT NULL,
	"giver_id" uuid,
	"giver_name" text NOT NULL,
	"giver_email" text,
	"paid_minor" integer NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"email" text NOT NULL,
	"first_name" text,
	"message" text,
	"day" text,
	"zone" text NOT NULL,
	"deliver_at" timestamp with time zone NOT NULL,
	"edition" integer DEFAULT 0 NOT NULL,
	"token_hash" text,
	"code_hash" text,
	"sent_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"reminded_after" integer DEFAULT 0 NOT NULL,
	"claimed_at" timestamp with time zone,
	"claimed_by" uuid,
	"subscription_id" uuid,
	"begun_at" timestamp with time zone,
	"taken_back_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"suspended_at" timestamp with time zone,
	"lapsed_at" timestamp with time zone,
	CONSTRAINT "membership_gifts_order_line_id_unique" UNIQUE("order_line_id"),
	CONSTRAINT "membership_gifts_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "membership_gifts_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "replaced_gift_links" (
	"hash" text PRIMARY KEY NOT NULL,
	"gift_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_kind";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "gift_details" jsonb;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "membership_gift_id" uuid;--> statement-breakpoint
ALTER TABLE "membership_gifts" ADD CONSTRAINT "membership_gifts_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_gifts" ADD CONSTRAINT "membership_gifts_giver_id_users_id_fk" FOREIGN KEY ("giver_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_gifts" ADD CONSTRAINT "membership_gifts_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_gifts" ADD CONSTRAINT "membership_gifts_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replaced_gift_links" ADD CONSTRAINT "replaced_gift_links_gift_id_membership_gifts_id_fk" FOREIGN KEY ("gift_id") REFERENCES "public"."membership_gifts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "membership_gifts_email" ON "membership_gifts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "membership_gifts_giver" ON "membership_gifts" USING btree ("giver_id");--> statement-breakpoint
CREATE INDEX "membership_gifts_giver_email" ON "membership_gifts" USING btree (lower("giver_email"));--> statement-breakpoint
CREATE INDEX "membership_gifts_waiting" ON "membership_gifts" USING btree ("claimed_by") WHERE "membership_gifts"."begun_at" is null and "membership_gifts"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "membership_gifts_due" ON "membership_gifts" USING btree ("deliver_at") WHERE "membership_gifts"."claimed_at" is null and "membership_gifts"."revoked_at" is null;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_kind" CHECK (case "order_lines"."kind"
        when 'title' then "order_lines"."book_id" is not null and "order_lines"."plan" is null and "order_lines"."subscription_id" is null
        when 'membership' then "order_lines"."plan" is not null and "order_lines"."book_id" is null and "order_lines"."entry_id" is null
        when 'membership_gift' then "order_lines"."plan" is not null and "order_lines"."gift_details" is not null
          and "order_lines"."book_id" is null and "order_lines"."entry_id" is null and "order_lines"."subscription_id" is null
        else false end);