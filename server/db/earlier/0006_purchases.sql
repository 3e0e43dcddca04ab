-- migrations: bc990573e36ce86d
insert into nationalities (id, title) values (1, 'Irish'), (2, 'Scottish');
insert into people (id, first_name, last_name, name_key, nationality_id) values
  (1, 'Ada', 'Moss', 'ada moss', 2), (2, 'Ida', 'Frost', 'ida frost', 1), (3, 'Tom', 'Reed', 'tom reed', null);
insert into locations (id, title) values (1, 'Islands'), (2, 'Harbours');
insert into media_files (sha256, extension, bytes) values (repeat('a', 64), 'mp3', 10), (repeat('b', 64), 'epub', 20);
insert into books (id, format, slug, title, price_minor, embargoed, file_id, made_after_purchase, memoir) values
  (1, 'audio_book', 'low-water', 'Low Water', 1200, false, null, false, true),
  (2, 'e_book', 'low-water-to-read', 'Low Water', 599, false, repeat('b', 64), false, false),
  (3, 'audio_book', 'unheard', 'Unheard', 900, false, null, false, false),
  (4, 'e_book', 'unwritten', 'Unwritten', 500, false, null, false, false),
  (5, 'e_book', 'yours-alone', 'Yours Alone', 700, false, null, true, false),
  (6, 'e_book', 'not-yet', 'Not Yet', 700, true, repeat('b', 64), false, false);
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
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000002', 3, 'active', '2026-11-01', '2026-12-01', '2026-12-01');
insert into credits (user_id, usable_until) values ('00000000-0000-4000-8000-000000000002', '2027-11-01');
insert into carts (id, user_id) values ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-000000000002');
insert into cart_items (cart_id, book_id, gift, gift_email) values ('00000000-0000-4000-8000-0000000000b1', 2, true, 'friend@post.example');
insert into discounts (code, type, percent) values ('TENTH', 'all', 10);
insert into orders (id, user_id, state, fingerprint, total_minor, vat_minor, before_discount_minor, buyer_name, buyer_email, country_code, paid_at) values
  ('00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-000000000001', 'paid', 'f1', 1080, 180, 1200, 'Una Hale', 'una@murmur.example', 'GB', '2026-11-20'),
  ('00000000-0000-4000-8000-0000000000d2', '00000000-0000-4000-8000-000000000002', 'paid', 'f2', 799, 133, 799, 'Bo Lind', 'bo@murmur.example', 'GB', '2026-11-20');
insert into discount_uses (code, user_id, order_id) values
  ('TENTH', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000d1');
insert into order_lines (id, order_id, position, book_id, subscription_id, plan, title, original_minor, price_minor, vat_percent, vat_minor, gift, gift_email) values
  ('00000000-0000-4000-8000-000000000d11', '00000000-0000-4000-8000-0000000000d1', 0, 1, null, null, 'Low Water', 1200, 1080, 20, 180, false, null),
  ('00000000-0000-4000-8000-000000000d12', '00000000-0000-4000-8000-0000000000d1', 1, 2, null, null, 'Low Water', 0, 0, 0, 0, true, 'friend@post.example'),
  ('00000000-0000-4000-8000-000000000d21', '00000000-0000-4000-8000-0000000000d2', 0, null, '00000000-0000-4000-8000-0000000000a1', 3, 'Reader', 799, 799, 20, 133, false, null);
insert into payments (order_id, intent_id, client_secret) values ('00000000-0000-4000-8000-0000000000d1', 'pi_1', 'pi_1_secret_2');
insert into gifts (order_line_id, book_id, giver_name, email, token_hash, code_hash) values
  ('00000000-0000-4000-8000-000000000d12', 2, 'Una Hale', 'friend@post.example', 't', 'c');
insert into feed_events (user_id, data) values ('00000000-0000-4000-8000-000000000001', '{"kind":"library"}');
insert into newsletter_subscribers (email, subscribed_at) values ('early@post.example', '2026-11-01 09:00+00');
