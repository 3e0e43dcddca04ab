-- migrations: 0044bd5ce5a5c4d1
insert into jobs (name, due_at) values ('clean-up', '2026-11-21 03:17+00');
insert into devices (user_id, id, browser) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c2', 'Firefox');
insert into newsletter_subscribers (email, token, subscribed_at) values
  ('greeted@post.example', '00000000-0000-4000-8000-0000000000c3', '2026-11-21 09:00+00'),
  ('unconfirmed@post.example', '00000000-0000-4000-8000-0000000000c4', '2026-11-21 09:00+00');
insert into mails (key, kind, recipient, data, sent_at) values
  ('newsletter_welcome:00000000-0000-4000-8000-0000000000c3', 'newsletter_welcome', '', '{}', '2026-11-21 09:01+00');
insert into mails (key, kind, recipient, data) values ('gift_book:1', 'gift_book', 'friend@post.example', '{"title":"Low Water"}');
insert into account_tokens (user_id, purpose, token_hash, code_hash, expires_at, email) values
  ('00000000-0000-4000-8000-000000000002', 'email_change', 't', 'c', '2026-11-22', 'bo@elsewhere.example');
insert into former_addresses (user_id, email, given_up_at) values
  ('00000000-0000-4000-8000-000000000001', 'una@elsewhere.example', '2026-11-20');
