ALTER TABLE "subscriptions" ADD COLUMN "withdrawal" text GENERATED ALWAYS AS (case when withdrawn_at is null then 'none' when status = 'canceled' then 'ended' else 'recorded' end) STORED NOT NULL;--> statement-breakpoint
CREATE TRIGGER subscriptions_withdrawal_transitions AFTER UPDATE ON subscriptions
  FOR EACH ROW WHEN (OLD.withdrawal <> NEW.withdrawal)
  EXECUTE FUNCTION check_transition('withdrawal',
    'none > recorded', 'none > ended', 'recorded > ended');
