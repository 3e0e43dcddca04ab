-- migrations: 48fb07b6dc2ec2e0
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
update jobs set failures = 2, problem = 'away';
