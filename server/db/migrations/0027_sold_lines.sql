ALTER TABLE "order_lines" ADD COLUMN "sold_at" timestamp with time zone;--> statement-breakpoint
-- Triggers, so that it is also set for what the previous release sells during an upgrade.
CREATE FUNCTION set_sold_at_of_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sold_at := (SELECT coalesce(o.paid_at, o.created_at) FROM orders o
    WHERE o.id = NEW.order_id AND o.state = 'paid' AND o.taken IS NULL);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER order_lines_sold_at BEFORE INSERT ON order_lines
  FOR EACH ROW WHEN (NEW.book_id IS NOT NULL)
  EXECUTE FUNCTION set_sold_at_of_line();--> statement-breakpoint
CREATE FUNCTION set_sold_at_of_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE order_lines
  SET sold_at = CASE WHEN NEW.state = 'paid' AND NEW.taken IS NULL THEN coalesce(NEW.paid_at, NEW.created_at) END
  WHERE order_id = NEW.id AND book_id IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER orders_sold_at AFTER UPDATE ON orders
  FOR EACH ROW WHEN ((OLD.state, OLD.taken, OLD.paid_at, OLD.created_at)
    IS DISTINCT FROM (NEW.state, NEW.taken, NEW.paid_at, NEW.created_at))
  EXECUTE FUNCTION set_sold_at_of_lines();--> statement-breakpoint
-- Sums of sales look back 30 days. Writing all lines of a large shop would take minutes.
UPDATE order_lines l SET sold_at = coalesce(o.paid_at, o.created_at) FROM orders o
WHERE o.id = l.order_id AND o.state = 'paid' AND o.taken IS NULL AND l.book_id IS NOT NULL
  AND coalesce(o.paid_at, o.created_at) > now() - interval '60 days';
