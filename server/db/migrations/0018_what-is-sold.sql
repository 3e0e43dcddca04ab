ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_kind";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "kind" text DEFAULT 'title' NOT NULL;--> statement-breakpoint
UPDATE "order_lines" SET "kind" = 'membership' WHERE "plan" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_kind" CHECK (case "order_lines"."kind"
        when 'title' then "order_lines"."book_id" is not null and "order_lines"."plan" is null and "order_lines"."subscription_id" is null
        when 'membership' then "order_lines"."plan" is not null and "order_lines"."book_id" is null and "order_lines"."entry_id" is null
        else false end);