CREATE TABLE "postponed_work" (
	"work" text NOT NULL,
	"item_id" uuid NOT NULL,
	"failures" integer NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "postponed_work_work_item_id_pk" PRIMARY KEY("work","item_id")
);
