CREATE TABLE "jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"held_by" uuid,
	"held_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"problem" text
);
