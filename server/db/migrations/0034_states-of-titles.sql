ALTER TABLE "books" ADD COLUMN "state" text DEFAULT 'on-sale' NOT NULL;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "state_by_command" text;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "deliverable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "preorder" date;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "imported_from" text;--> statement-breakpoint
UPDATE "books" b SET "deliverable" = false WHERE NOT b."made_after_purchase" AND CASE b."format"
  WHEN 'e_book' THEN b."file_id" IS NULL
  ELSE b."sample_id" IS NULL AND NOT EXISTS (SELECT 1 FROM "chapters" c WHERE c."book_id" = b."id") END;--> statement-breakpoint
ALTER TABLE "books" DROP COLUMN "sellable";--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "sellable" boolean GENERATED ALWAYS AS (case when coalesce(state_by_command, state) in ('draft', 'retired') or embargoed then null
        else published and deliverable and coalesce(state_by_command, state) = 'on-sale' end) STORED;--> statement-breakpoint
CREATE INDEX "books_listing" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_style" ON "books" USING btree ("format","style_id","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_category" ON "books" USING btree ("format","category_id","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_publisher" ON "books" USING btree ("format","publisher_id","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_shelf" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST,"style_id","category_id","publisher_id","length_minutes","pages","location_ids","nationality_ids");--> statement-breakpoint
CREATE INDEX "books_memoir" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE memoir;--> statement-breakpoint
CREATE INDEX "books_writers_dilemma" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE writers_dilemma;--> statement-breakpoint
CREATE INDEX "books_second_edition" ON "books" USING btree ("sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE second_edition;--> statement-breakpoint
CREATE INDEX "books_edition" ON "books" USING btree ("sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE edition;--> statement-breakpoint
CREATE INDEX "books_card" ON "books" USING btree ("sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE available_as_card;--> statement-breakpoint
ALTER TABLE "books" ADD CONSTRAINT "books_state" CHECK ("books"."state" in ('draft', 'listed', 'on-sale', 'retired'));--> statement-breakpoint
ALTER TABLE "books" ADD CONSTRAINT "books_state_by_command" CHECK ("books"."state_by_command" in ('draft', 'listed', 'retired'));