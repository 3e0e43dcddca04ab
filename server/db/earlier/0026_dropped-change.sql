-- migrations: 946c75ec99c82687
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
