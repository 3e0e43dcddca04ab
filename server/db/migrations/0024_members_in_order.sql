CREATE INDEX CONCURRENTLY "users_name" ON "users" USING btree (lower(btrim("first_name" || ' ' || "last_name")),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_next" ON "subscriptions" USING btree (coalesce(case when not "gift"
  and "payment_type" is not null and "canceled_at" is null and "withdrawn_at" is null
  and "status" in ('active', 'trialing') then case when "status" = 'trialing'
    then coalesce("trial_ends_at", "period_end") else "period_end" end end, '9999-01-01T00:00:00Z'::timestamptz),"user_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_ordered" ON "subscriptions" USING btree ("ordered_at","user_id");