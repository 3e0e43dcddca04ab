ALTER TABLE "books" ADD COLUMN "withheld" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "books" DROP COLUMN "sellable";--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "sellable" boolean GENERATED ALWAYS AS (case when coalesce(state_by_command, state) in ('draft', 'retired') or embargoed or withheld then null
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
ALTER TABLE "faqs" ADD COLUMN "part" text;--> statement-breakpoint
ALTER TABLE "info_pages" ADD COLUMN "part" text;
