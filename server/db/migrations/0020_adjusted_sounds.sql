CREATE TABLE "adjusted_sounds" (
	"sound_id" text PRIMARY KEY NOT NULL,
	"original_id" text NOT NULL,
	"steps" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "adjusted_sounds" ADD CONSTRAINT "adjusted_sounds_sound_id_media_files_sha256_fk" FOREIGN KEY ("sound_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjusted_sounds" ADD CONSTRAINT "adjusted_sounds_original_id_media_files_sha256_fk" FOREIGN KEY ("original_id") REFERENCES "public"."media_files"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adjusted_sounds_original" ON "adjusted_sounds" USING btree ("original_id");