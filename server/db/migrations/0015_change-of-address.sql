CREATE TABLE "former_addresses" (
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"given_up_at" timestamp with time zone NOT NULL,
	CONSTRAINT "former_addresses_user_id_email_pk" PRIMARY KEY("user_id","email")
);
--> statement-breakpoint
ALTER TABLE "account_tokens" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_tokens_email" ON "account_tokens" USING btree (lower("email")) WHERE "account_tokens"."email" is not null;