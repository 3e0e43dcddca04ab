CREATE TABLE "alignments" (
	"sound_id" text NOT NULL,
	"text_id" text NOT NULL,
	"version" integer NOT NULL,
	"source" text NOT NULL,
	"times" "bytea" NOT NULL,
	"words" "bytea" NOT NULL,
	"report" jsonb NOT NULL,
	"aligned_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alignments_sound_id_text_id_pk" PRIMARY KEY("sound_id","text_id")
);
--> statement-breakpoint
CREATE TABLE "sound_analyses" (
	"sound_id" text PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"duration_ms" integer,
	"loudness" real,
	"true_peak" real,
	"silences" "bytea" NOT NULL,
	"problem" text,
	"analysed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alignments" ADD CONSTRAINT "alignments_sound_id_media_files_sha256_fk" FOREIGN KEY ("sound_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alignments" ADD CONSTRAINT "alignments_text_id_media_files_sha256_fk" FOREIGN KEY ("text_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sound_analyses" ADD CONSTRAINT "sound_analyses_sound_id_media_files_sha256_fk" FOREIGN KEY ("sound_id") REFERENCES "public"."media_files"("sha256") ON DELETE cascade ON UPDATE no action;