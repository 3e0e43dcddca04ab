/** Published after a deleted account is committed, so that the job that ends it at the payment provider runs at once. */
export const ACCOUNT_CLOSED = 'account_closed'
