ALTER TABLE "books" ADD COLUMN "location_ids" integer[] DEFAULT '{}'::int[] NOT NULL;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "nationality_ids" integer[] DEFAULT '{}'::int[] NOT NULL;--> statement-breakpoint
UPDATE "books" b SET
  "location_ids" = coalesce((SELECT array_agg(bl.location_id ORDER BY bl.location_id) FROM book_locations bl
    WHERE bl.book_id = b.id), '{}'),
  "nationality_ids" = coalesce((SELECT array_agg(DISTINCT p.nationality_id ORDER BY p.nationality_id)
    FROM book_people bp JOIN people p ON p.id = bp.person_id
    WHERE bp.book_id = b.id AND bp.role = 'author' AND p.nationality_id IS NOT NULL), '{}');--> statement-breakpoint
CREATE INDEX "books_shelf" ON "books" USING btree ("format","listed_at" DESC NULLS LAST,"id" DESC NULLS LAST,"style_id","category_id","publisher_id","length_minutes","pages","location_ids","nationality_ids");