CREATE TABLE "picture_steps" (
	"book_id" integer NOT NULL,
	"source" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "picture_steps_book_id_source_pk" PRIMARY KEY("book_id","source")
);
--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "isbn" text;--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "source_id" text;--> statement-breakpoint
ALTER TABLE "picture_steps" ADD CONSTRAINT "picture_steps_book_id_books_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."books"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "books_isbn" ON "books" USING btree ("isbn");--> statement-breakpoint
CREATE UNIQUE INDEX "books_source" ON "books" USING btree ("source_id");