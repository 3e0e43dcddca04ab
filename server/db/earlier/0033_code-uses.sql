-- migrations: b4610600265102b1
insert into user_bookmarks (user_id, id, book_id, chapter, seconds, made_at, note, changed_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c5', 1, 1, 10, '2026-11-22', 'The tide', '2026-11-22');
insert into bookmark_history (user_id, bookmark_id, note, changed_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c5', 'A tide', '2026-11-22');
update discounts set uses = 5, folder = 'autumn' where code = 'TENTH';
