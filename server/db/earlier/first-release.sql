-- Until a release is tagged: a shop with a few rows in most tables, as the first release will leave it (README.md).
insert into nationalities (id, title) values (1, 'Irish'), (2, 'Scottish');
insert into people (id, first_name, last_name, name_key, nationality_id) values
  (1, 'Ada', 'Moss', 'ada moss', 2), (2, 'Ida', 'Frost', 'ida frost', 1), (3, 'Tom', 'Reed', 'tom reed', null);
insert into locations (id, title) values (1, 'Islands'), (2, 'Harbours');
insert into media_files (sha256, extension, bytes) values (repeat('a', 64), 'mp3', 10), (repeat('b', 64), 'epub', 20);
insert into books (id, format, slug, title, price_minor, embargoed, file_id, made_after_purchase, memoir, deliverable, location_ids, nationality_ids) values
  (1, 'audio_book', 'low-water', 'Low Water', 1200, false, null, false, true, true, '{1,2}', '{1,2}'),
  (2, 'e_book', 'low-water-to-read', 'Low Water', 599, false, repeat('b', 64), false, false, true, '{1}', '{}'),
  (3, 'audio_book', 'unheard', 'Unheard', 900, false, null, false, false, false, '{}', '{}'),
  (4, 'e_book', 'unwritten', 'Unwritten', 500, false, null, false, false, false, '{}', '{}'),
  (5, 'e_book', 'yours-alone', 'Yours Alone', 700, false, null, true, false, true, '{}', '{}'),
  (6, 'e_book', 'not-yet', 'Not Yet', 700, true, repeat('b', 64), false, false, true, '{}', '{}');
update books set counterpart_id = 2 where id = 1;
insert into chapters (book_id, number, title, duration_ms, sound_id) values (1, 1, 'Ebb', 60000, repeat('a', 64));
insert into book_people (book_id, role, position, person_id) values
  (1, 'author', 0, 1), (1, 'author', 1, 2), (1, 'narrator', 0, 3), (2, 'author', 0, 3);
insert into book_locations (book_id, location_id) values (1, 2), (1, 1), (2, 1);
insert into outlets (id, name) values ('00000000-0000-4000-8000-0000000000f1', 'Harbour Books');
insert into users (id, email, password_hash, first_name, last_name, outlet_id) values
  ('00000000-0000-4000-8000-000000000001', 'una@murmur.example', '-', 'Una', 'Hale', null),
  ('00000000-0000-4000-8000-000000000002', 'bo@murmur.example', '-', 'Bo', 'Lind', null),
  ('00000000-0000-4000-8000-000000000003', 'desk@murmur.example', '-', 'Cy', 'Marsh', '00000000-0000-4000-8000-0000000000f1');
insert into sessions (user_id, token_hash, expires_at, ends_at) values
  ('00000000-0000-4000-8000-000000000001', 'hash', '2027-01-01', '2027-06-01');
insert into library_entries (id, user_id, book_id, source) values
  ('00000000-0000-4000-8000-0000000000e1', '00000000-0000-4000-8000-000000000001', 1, 'purchase');
insert into user_audio_book_times (user_id, book_id, chapter, seconds, heard_at, event_id) values
  ('00000000-0000-4000-8000-000000000001', 1, 1, 42.5, '2026-11-20 20:00+00', '00000000-0000-4000-8000-0000000000c1');
insert into user_chapter_times (user_id, book_id, chapter, seconds, heard_at) values
  ('00000000-0000-4000-8000-000000000001', 1, 1, 42.5, '2026-11-20 20:00+00');
insert into listening_events (user_id, event_id) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c1');
insert into place_history (user_id, book_id, chapter, seconds, heard_at) values
  ('00000000-0000-4000-8000-000000000001', 1, 1, 12, '2026-11-20 19:00+00');
insert into user_e_book_places (user_id, book_id, locator, share, read_at) values
  ('00000000-0000-4000-8000-000000000001', 2, 'epubcfi(/6/2)', 0.1, '2026-11-20 19:00+00');
insert into subscriptions (id, user_id, plan, status, period_start, period_end, valid_until) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000002', 3, 'canceled', '2026-11-01', '2026-12-01', '2026-12-01');
insert into credits (user_id, usable_until) values ('00000000-0000-4000-8000-000000000002', '2027-11-01');
insert into carts (id, user_id) values ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-000000000002');
insert into cart_items (cart_id, book_id, gift, gift_email) values ('00000000-0000-4000-8000-0000000000b1', 2, true, 'friend@post.example');
insert into discounts (code, type, percent, uses, folder) values ('TENTH', 'all', 10, 5, 'autumn');
insert into orders (id, user_id, state, fingerprint, total_minor, vat_minor, before_discount_minor, buyer_name, buyer_email, country_code, paid_at) values
  ('00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-000000000001', 'paid', 'f1', 1080, 180, 1200, 'Una Hale', 'una@murmur.example', 'GB', '2026-11-20'),
  ('00000000-0000-4000-8000-0000000000d2', '00000000-0000-4000-8000-000000000002', 'paid', 'f2', 799, 133, 799, 'Bo Lind', 'bo@murmur.example', 'GB', '2026-11-20');
insert into discount_uses (code, user_id, order_id) values
  ('TENTH', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000d1');
insert into order_lines (id, order_id, position, kind, book_id, subscription_id, plan, title, original_minor, price_minor, vat_percent, vat_minor, gift, gift_email) values
  ('00000000-0000-4000-8000-000000000d11', '00000000-0000-4000-8000-0000000000d1', 0, 'title', 1, null, null, 'Low Water', 1200, 1080, 20, 180, false, null),
  ('00000000-0000-4000-8000-000000000d12', '00000000-0000-4000-8000-0000000000d1', 1, 'title', 2, null, null, 'Low Water', 0, 0, 0, 0, true, 'friend@post.example'),
  ('00000000-0000-4000-8000-000000000d21', '00000000-0000-4000-8000-0000000000d2', 0, 'membership', null, '00000000-0000-4000-8000-0000000000a1', 3, 'Reader', 799, 799, 20, 133, false, null);
insert into payments (order_id, intent_id, client_secret) values ('00000000-0000-4000-8000-0000000000d1', 'pi_1', 'pi_1_secret_2');
insert into gifts (order_line_id, book_id, giver_name, email, token_hash, code_hash) values
  ('00000000-0000-4000-8000-000000000d12', 2, 'Una Hale', 'friend@post.example', 't', 'c');
insert into feed_events (user_id, data) values ('00000000-0000-4000-8000-000000000001', '{"kind":"library"}');
insert into newsletter_subscribers (email, subscribed_at, confirmed_at) values ('early@post.example', '2026-11-01 09:00+00', '2026-11-01 09:01+00');
insert into jobs (name, due_at, failures, problem) values ('clean-up', '2026-11-21 03:17+00', 2, 'away');
insert into devices (user_id, id, browser) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c2', 'Firefox');
insert into newsletter_subscribers (email, token, subscribed_at, confirmed_at) values
  ('greeted@post.example', '00000000-0000-4000-8000-0000000000c3', '2026-11-21 09:00+00', '2026-11-21 09:01+00'),
  ('unconfirmed@post.example', '00000000-0000-4000-8000-0000000000c4', '2026-11-21 09:00+00', null);
insert into mails (key, kind, recipient, data, sent_at) values
  ('newsletter_welcome:00000000-0000-4000-8000-0000000000c3', 'newsletter_welcome', '', '{}', '2026-11-21 09:01+00');
insert into mails (key, kind, recipient, data) values ('gift_book:1', 'gift_book', 'friend@post.example', '{"title":"Low Water"}');
insert into account_tokens (user_id, purpose, token_hash, code_hash, expires_at, email) values
  ('00000000-0000-4000-8000-000000000002', 'email_change', 't', 'c', '2026-11-22', 'bo@elsewhere.example');
insert into former_addresses (user_id, email, given_up_at) values
  ('00000000-0000-4000-8000-000000000001', 'una@elsewhere.example', '2026-11-20');
insert into orders (id, user_id, state, fingerprint, total_minor, vat_minor, before_discount_minor, buyer_name, buyer_email, country_code, paid_at) values
  ('00000000-0000-4000-8000-0000000000d3', '00000000-0000-4000-8000-000000000001', 'paid', 'f3', 4797, 799, 4797, 'Una Hale', 'una@murmur.example', 'GB', '2026-11-21'),
  ('00000000-0000-4000-8000-0000000000d4', '00000000-0000-4000-8000-000000000001', 'paid', 'f4', 2397, 399, 2397, 'Una Hale', 'una@murmur.example', 'GB', '2026-11-21');
insert into order_lines (id, order_id, position, kind, plan, gift_details, title, original_minor, price_minor, vat_percent, vat_minor) values
  ('00000000-0000-4000-8000-000000000d31', '00000000-0000-4000-8000-0000000000d3', 0, 'membership_gift', 4, '{"months":6}', 'Avid Reader', 4797, 4797, 20, 799),
  ('00000000-0000-4000-8000-000000000d41', '00000000-0000-4000-8000-0000000000d4', 0, 'membership_gift', 3, '{"months":3}', 'Reader', 2397, 2397, 20, 399);
insert into membership_gifts (id, order_line_id, order_id, plan, giver_name, paid_minor, given_at, email, zone, deliver_at, suspended_at, taken_back_at) values
  ('00000000-0000-4000-8000-0000000000a3', '00000000-0000-4000-8000-000000000d31', '00000000-0000-4000-8000-0000000000d3', 4, 'Una Hale', 4797, '2026-11-21', 'friend@post.example', 'Europe/London', '2026-12-24', '2026-11-21 12:00+00', null),
  ('00000000-0000-4000-8000-0000000000a4', '00000000-0000-4000-8000-000000000d41', '00000000-0000-4000-8000-0000000000d4', 3, 'Una Hale', 2397, '2026-11-21', 'other@post.example', 'Europe/London', '2026-12-24', null, '2026-11-21 13:00+00');
insert into card_batches (id, book_id, outlet_id, price_minor, made_at) values
  (1001, 1, '00000000-0000-4000-8000-0000000000f1', 1200, '2026-11-21');
insert into cards (id, batch_id, number, code_hash) values ('00000000-0000-4000-8000-0000000000f2', 1001, '1001-0001', 'hash');
insert into card_activations (id, card_id, outlet_id, activated_at) values
  ('00000000-0000-4000-8000-0000000000f3', '00000000-0000-4000-8000-0000000000f2', '00000000-0000-4000-8000-0000000000f1', '2026-11-21');
insert into outlet_lines (outlet_id, kind, at, activation_id, of_minor, percent, amount_minor) values
  ('00000000-0000-4000-8000-0000000000f1', 'card', '2026-11-21', '00000000-0000-4000-8000-0000000000f3', 1200, 60, 720);
insert into code_key (fingerprint) values ('fingerprint');
insert into customers (user_id, customer_id) values ('00000000-0000-4000-8000-000000000002', 'cus_1');
-- A membership that is past due, one that is not paid yet, and two that were given up for another one.
insert into subscriptions (id, user_id, plan, status, provider_id, ordered_at, superseded_at, period_start, period_end, valid_until) values
  ('00000000-0000-4000-8000-0000000000a5', '00000000-0000-4000-8000-000000000002', 4, 'past_due', 'sub_5', '2026-11-22 10:00+00', null, '2026-11-22', '2026-12-22', '2026-12-22'),
  ('00000000-0000-4000-8000-0000000000a6', '00000000-0000-4000-8000-000000000001', 4, 'incomplete_expired', null, '2026-11-22 09:00+00', '2026-11-22 10:00+00', '2026-11-22', '2026-12-22', '2026-12-22'),
  ('00000000-0000-4000-8000-0000000000a7', '00000000-0000-4000-8000-000000000001', 4, 'incomplete', 'sub_7', '2026-11-22 10:00+00', null, '2026-11-22', '2026-12-22', '2026-12-22'),
  ('00000000-0000-4000-8000-0000000000a8', '00000000-0000-4000-8000-000000000001', 3, 'incomplete_expired', 'sub_8', '2026-11-22 08:00+00', '2026-11-22 08:00+00', '2026-11-22', '2026-12-22', '2026-12-22');
insert into membership_secrets (id, secret_hash, subscription_id) values ('pi_7', 'hash', '00000000-0000-4000-8000-0000000000a7');
insert into subscription_invoices (invoice_id, subscription_id, order_id, period_start, period_end) values
  ('in_1', '00000000-0000-4000-8000-0000000000a5', '00000000-0000-4000-8000-0000000000d2', '2026-11-22', '2026-12-22');
insert into trials (hash, subscription_id, begun_at) values ('card', '00000000-0000-4000-8000-0000000000a5', '2026-11-22');
insert into event_cursor (id, settled_until) values (1, '2026-11-22 10:00+00');
insert into user_bookmarks (user_id, id, book_id, chapter, seconds, made_at, note, changed_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c5', 1, 1, 10, '2026-11-22', 'The tide', '2026-11-22');
insert into bookmark_history (user_id, bookmark_id, note, changed_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c5', 'A tide', '2026-11-22');
insert into series (id, slug, title) values (1, 'tides', 'Tides');
insert into book_series (book_id, series_id, position, number) values (1, 1, 0, '1');
insert into series_gaps (series_id, position, title) values (1, 1, 'High Water');
insert into series_notices (series_id, email, known_book_ids) values (1, 'early@post.example', '{1}');
insert into user_list_rows (user_id, id, kind, book_id, position, changed_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c6', 'queue', 1, 'a0', '2026-11-23');
insert into user_highlights (user_id, id, book_id, locator, share, quote, chapter, made_at, note, changed_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c7', 2, 'epubcfi(/6/2)', 0.1, 'Low water.', 'Ebb', '2026-11-23', '', '2026-11-23');
insert into payment_tries (key, order_id, outcome, tried_at) values
  ('pi_1:1', '00000000-0000-4000-8000-0000000000d1', 'paid', '2026-11-20');
insert into logbook (at, by, command, about, because, what) values ('2026-11-23', 'Nell', 'people credit', 'bo@murmur.example', 'she called', 'One free audiobook');
insert into shop_details (id, content, pictures, version, written_at) values (1, '{"name":"Harbour Lane"}', '{}', '1', '2026-11-23');
insert into restorations (backup_made_at, caught_up_at) values ('2026-11-23', '2026-11-23');
insert into refunds (reason, key, order_id, amount_minor, state, created_at, updated_at) values
  ('gift-taken-back', 'gift-taken-back:00000000-0000-4000-8000-0000000000a4', '00000000-0000-4000-8000-0000000000d4', 2397, 'asked', '2026-11-21', '2026-11-21');
