CREATE TABLE "code_key" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"fingerprint" text NOT NULL,
	CONSTRAINT "code_key_only_one" CHECK ("code_key"."only")
);
