-- Whoever keeps in memory what an account owns and may claim is told when that changes, whatever changed it.
CREATE FUNCTION notify_account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('account_changed', coalesce(NEW.user_id, OLD.user_id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER library_entries_changed AFTER INSERT OR UPDATE OR DELETE ON library_entries
  FOR EACH ROW EXECUTE FUNCTION notify_account_changed();--> statement-breakpoint
CREATE TRIGGER credits_changed AFTER INSERT OR UPDATE OR DELETE ON credits
  FOR EACH ROW EXECUTE FUNCTION notify_account_changed();
