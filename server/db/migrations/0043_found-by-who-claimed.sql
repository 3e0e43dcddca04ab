CREATE INDEX "gifts_claimer" ON "gifts" USING btree ("claimed_by");--> statement-breakpoint
CREATE INDEX "membership_gifts_claimer" ON "membership_gifts" USING btree ("claimed_by");--> statement-breakpoint
CREATE INDEX "newsletter_subscribers_token" ON "newsletter_subscribers" USING btree ("token");