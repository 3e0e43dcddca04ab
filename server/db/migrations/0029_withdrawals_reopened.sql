-- A statement that was settled by mistake is opened again.
DROP TRIGGER withdrawal_statements_transitions ON withdrawal_statements;--> statement-breakpoint
CREATE TRIGGER withdrawal_statements_transitions AFTER UPDATE ON withdrawal_statements
  FOR EACH ROW WHEN (OLD.state <> NEW.state)
  EXECUTE FUNCTION check_transition('state',
    'stated > open', 'stated > settled', 'open > settled', 'settled > open');
