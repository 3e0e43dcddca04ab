DROP INDEX "subscriptions_one_running";--> statement-breakpoint
ALTER TABLE "membership_secrets" ALTER COLUMN "client_secret" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "membership_secrets" ADD COLUMN "secret_hash" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "superseded_at" timestamp with time zone;--> statement-breakpoint
-- By hand, up to the indexes: what an account has beside what now has its one place.
UPDATE "subscriptions" s SET "status" = 'incomplete_expired', "superseded_at" = now()
WHERE s."status" = 'incomplete' AND NOT s."gift" AND EXISTS (
	SELECT FROM "subscriptions" o
	WHERE o."user_id" = s."user_id" AND o."id" <> s."id" AND NOT o."gift"
		AND (o."status" IN ('trialing', 'active', 'past_due', 'unpaid', 'paused')
			OR (o."status" = 'incomplete' AND (o."ordered_at", o."id") > (s."ordered_at", s."id"))));--> statement-breakpoint
UPDATE "subscriptions" s SET "status" = 'canceled', "canceled_at" = now(), "ended_at" = now(), "valid_until" = now()
WHERE s."status" = 'active' AND NOT s."gift" AND s."provider_id" IS NULL AND EXISTS (
	SELECT FROM "subscriptions" o
	WHERE o."user_id" = s."user_id" AND NOT o."gift" AND o."provider_id" IS NOT NULL
		AND o."status" IN ('trialing', 'active', 'past_due', 'unpaid', 'paused'));--> statement-breakpoint
-- Given up by the release before, and perhaps not ended at the provider: it is asked once more.
UPDATE "subscriptions" SET "superseded_at" = "ordered_at"
WHERE "status" = 'incomplete_expired' AND "provider_id" IS NOT NULL AND "ended_at" IS NULL;--> statement-breakpoint
UPDATE "subscriptions" SET "client_secret" = NULL WHERE "client_secret" IS NOT NULL;--> statement-breakpoint
UPDATE "membership_secrets" SET "client_secret" = NULL,
	"secret_hash" = translate(rtrim(encode(sha256(convert_to("client_secret", 'UTF8')), 'base64'), '='), '+/', '-_')
WHERE "client_secret" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_one_place" ON "subscriptions" USING btree ("user_id") WHERE not "subscriptions"."gift" and "subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused');--> statement-breakpoint
CREATE INDEX "subscriptions_superseded" ON "subscriptions" USING btree ("user_id") WHERE "subscriptions"."superseded_at" is not null and "subscriptions"."ended_at" is null;