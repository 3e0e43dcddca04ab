CREATE TABLE "sound_claims" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"claim_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"chapter" integer NOT NULL,
	"seconds" double precision NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sound_claims" ADD CONSTRAINT "sound_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;