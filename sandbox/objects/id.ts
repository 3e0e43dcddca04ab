/** Stripe's types allow the whole object wherever an id is kept; only `expand[]` ever puts one there. */
export const idOf = (kept: string | { readonly id: string } | null | undefined): string =>
  typeof kept === 'string' ? kept : (kept?.id ?? '')
