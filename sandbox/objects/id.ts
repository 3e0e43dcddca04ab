/** Stripe's types allow an object in place of its id, which happens only with `expand[]`. */
export const idOf = (kept: string | { readonly id: string } | null | undefined): string =>
  typeof kept === 'string' ? kept : (kept?.id ?? '')
