CREATE TABLE "user_list_rows" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"shelf_id" uuid,
	"book_id" integer,
	"name" text DEFAULT '' NOT NULL,
	"position" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"event_id" uuid,
	"device_id" uuid,
	"sequence" integer DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "user_list_rows_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "user_list_rows" ADD CONSTRAINT "user_list_rows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_list_rows" ADD CONSTRAINT "user_list_rows_book_id_books_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."books"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_list_rows_of" ON "user_list_rows" USING btree ("user_id","kind") WHERE "user_list_rows"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "user_list_rows_book" ON "user_list_rows" USING btree ("book_id");