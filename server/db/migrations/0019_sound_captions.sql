CREATE TABLE "sound_captions" (
	"sound_id" text PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"captions" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sound_captions" ADD CONSTRAINT "sound_captions_sound_id_media_files_sha256_fk" FOREIGN KEY ("sound_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;