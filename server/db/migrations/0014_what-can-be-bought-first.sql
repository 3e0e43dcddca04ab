DROP INDEX "books_listing";--> statement-breakpoint
DROP INDEX "books_style";--> statement-breakpoint
DROP INDEX "books_category";--> statement-breakpoint
DROP INDEX "books_publisher";--> statement-breakpoint
DROP INDEX "books_shelf";--> statement-breakpoint
DROP INDEX "books_memoir";--> statement-breakpoint
DROP INDEX "books_writers_dilemma";--> statement-breakpoint
DROP INDEX "books_second_edition";--> statement-breakpoint
DROP INDEX "books_edition";--> statement-breakpoint
DROP INDEX "books_card";--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "sellable" boolean GENERATED ALWAYS AS (published and not embargoed) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "books_listing" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_style" ON "books" USING btree ("format","style_id","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_category" ON "books" USING btree ("format","category_id","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_publisher" ON "books" USING btree ("format","publisher_id","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "books_shelf" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST,"style_id","category_id","publisher_id","length_minutes","pages","location_ids","nationality_ids");--> statement-breakpoint
CREATE INDEX "books_memoir" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE memoir;--> statement-breakpoint
CREATE INDEX "books_writers_dilemma" ON "books" USING btree ("format","sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE writers_dilemma;--> statement-breakpoint
CREATE INDEX "books_second_edition" ON "books" USING btree ("sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE second_edition;--> statement-breakpoint
CREATE INDEX "books_edition" ON "books" USING btree ("sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE edition;--> statement-breakpoint
CREATE INDEX "books_card" ON "books" USING btree ("sellable" DESC NULLS LAST,"listed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE available_as_card;