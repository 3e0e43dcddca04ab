/**
 * PostgreSQL channel. Notified when an account deletion commits, so that the job that closes the account at the payment
 * provider runs at once.
 */
export const ACCOUNT_CLOSED = 'account_closed'
