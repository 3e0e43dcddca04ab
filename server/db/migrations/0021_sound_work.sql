CREATE TABLE "adjusted_sounds" (
	"sound_id" text PRIMARY KEY NOT NULL,
	"original_id" text NOT NULL,
	"steps" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analysis_requests" (
	"book_id" integer PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sound_captions" (
	"sound_id" text PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"captions" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "adjusted_sounds" ADD CONSTRAINT "adjusted_sounds_sound_id_media_files_sha256_fk" FOREIGN KEY ("sound_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjusted_sounds" ADD CONSTRAINT "adjusted_sounds_original_id_media_files_sha256_fk" FOREIGN KEY ("original_id") REFERENCES "public"."media_files"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analysis_requests" ADD CONSTRAINT "analysis_requests_book_id_books_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."books"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sound_captions" ADD CONSTRAINT "sound_captions_sound_id_media_files_sha256_fk" FOREIGN KEY ("sound_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adjusted_sounds_original" ON "adjusted_sounds" USING btree ("original_id");