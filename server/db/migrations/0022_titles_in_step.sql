ALTER TABLE "books" ADD COLUMN "in_step" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Titles that were analysed before; `storeInStep` in analysis/queries.ts marks the others.
UPDATE "books" SET "in_step" = true FROM (
	SELECT b."id", b."counterpart_id" FROM "books" b
		JOIN "books" e ON e."id" = b."counterpart_id" AND NOT e."made_after_purchase"
		JOIN "chapters" c ON c."book_id" = b."id"
		LEFT JOIN "alignments" a ON a."sound_id" = c."sound_id" AND a."text_id" = e."file_id"
	WHERE b."format" = 'audio_book'
	GROUP BY b."id"
	HAVING bool_and(a."sound_id" IS NOT NULL) AND sum((a."report" ->> 'placed')::int) > 0
		AND sum((a."report" ->> 'placed')::int) >= 0.8 * sum((a."report" ->> 'sentences')::int)
) AS "found" WHERE "books"."id" IN ("found"."id", "found"."counterpart_id");
