-- migrations: ed70276a16603714
-- What is not membership yet beside what is, as two tabs left it; one that was given up; one of before there was a provider.
insert into subscriptions (id, user_id, plan, status, provider_id, client_secret, ordered_at, period_start, period_end, valid_until) values
  ('00000000-0000-4000-8000-0000000000a5', '00000000-0000-4000-8000-000000000002', 4, 'past_due', 'sub_5', null, '2026-11-22 10:00+00', '2026-11-22', '2026-12-22', '2026-12-22'),
  ('00000000-0000-4000-8000-0000000000a6', '00000000-0000-4000-8000-000000000001', 4, 'incomplete', null, 'pi_6_secret', '2026-11-22 09:00+00', '2026-11-22', '2026-12-22', '2026-12-22'),
  ('00000000-0000-4000-8000-0000000000a7', '00000000-0000-4000-8000-000000000001', 4, 'incomplete', 'sub_7', null, '2026-11-22 10:00+00', '2026-11-22', '2026-12-22', '2026-12-22'),
  ('00000000-0000-4000-8000-0000000000a8', '00000000-0000-4000-8000-000000000001', 3, 'incomplete_expired', 'sub_8', null, '2026-11-22 08:00+00', '2026-11-22', '2026-12-22', '2026-12-22');
insert into membership_secrets (id, client_secret, subscription_id) values ('pi_7', 'pi_7_secret_8', '00000000-0000-4000-8000-0000000000a7');
insert into subscription_invoices (invoice_id, subscription_id, order_id, period_start, period_end) values
  ('in_1', '00000000-0000-4000-8000-0000000000a5', '00000000-0000-4000-8000-0000000000d2', '2026-11-22', '2026-12-22');
insert into trials (hash, subscription_id, begun_at) values ('card', '00000000-0000-4000-8000-0000000000a5', '2026-11-22');
insert into event_cursor (id, settled_until) values (1, '2026-11-22 10:00+00');
