-- Who subscribed before there was a link to confirm with: on a day before there was one, or greeted at once.
UPDATE "newsletter_subscribers" SET "confirmed_at" = "subscribed_at"
WHERE "confirmed_at" IS NULL AND (
  "subscribed_at" < '2026-11-20T22:13:00Z'
  OR EXISTS (SELECT FROM "mails" WHERE "mails"."key" = 'newsletter_welcome:' || "newsletter_subscribers"."token")
);
