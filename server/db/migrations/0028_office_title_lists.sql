CREATE INDEX CONCURRENTLY "books_by_title" ON "books" USING btree (lower("title"),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "books_by_price" ON "books" USING btree ("price_minor","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "books_by_added" ON "books" USING btree ("listed_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "books_by_state" ON "books" USING btree (coalesce("state_by_command", "state"),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "books_incomplete" ON "books" USING btree ("id") WHERE "books"."sellable" is not true or "books"."cover_id" is null or "books"."summary" = '';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "books_words" ON "books" USING gin (lower("title" || ' ' || "slug" || ' ' || coalesce("isbn", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_lines_sold" ON "order_lines" USING btree ("sold_at","book_id") WHERE "order_lines"."sold_at" is not null and "order_lines"."refunded_at" is null;