DROP INDEX "user_audio_book_times_newest";--> statement-breakpoint
DROP INDEX "listening_events_received";--> statement-breakpoint
CREATE INDEX "listening_events_received" ON "listening_events" USING brin ("received_at");